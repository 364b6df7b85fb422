"""What users know besides the normals: rough depth, measured points and distances, fixed depths."""

from crevasse.knowledge.given import Given
from crevasse.knowledge.known import Known, Places, Ruler
from crevasse.knowledge.prior import UNKNOWNS, Prior

__all__ = ["UNKNOWNS", "Given", "Known", "Places", "Prior", "Ruler"]
