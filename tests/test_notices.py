"""What was found is said once; each face words the advice for its own user."""

import copy
import json
import pickle

import pytest

from crevasse.cli.wording import command_text
from crevasse.files import BadInput
from crevasse.memory import shortage
from crevasse.notices import Notice, Setting, notice_of
from crevasse.web.wording import page_text

FRAME = Notice("It looks like directx.", Setting("frame", "directx"), do="{} if you agree", cure="export it again")


def test_advice_in_python_names_arguments():
    assert FRAME == "It looks like directx: export it again, or pass frame='directx' if you agree."


def test_advice_on_the_command_line_names_options():
    assert command_text(FRAME).endswith("or pass --frame directx (crevasse info shows why) if you agree.")
    assert command_text(Notice("", Setting("field_of_view"), Setting("spanning", False))) == (
        "; pass --fov or --spanning false"
    )


def test_advice_on_the_page_names_its_controls_only():
    assert page_text(FRAME) == "It looks like directx: export it again, or choose the frame directx if you agree."
    assert page_text(Notice("too large", Setting("max_memory"), cure="crop it")) == "too large; crop it"
    assert page_text(Notice("It bends normals.", Setting("srgb", True))) == "It bends normals."


def test_a_sentence_without_advice_stays_as_it_is():
    assert command_text("pass --frame") == page_text("pass --frame") == "pass --frame"
    assert page_text(ValueError("it is wrong")) == "it is wrong"


@pytest.mark.parametrize("again", [copy.copy, lambda notice: pickle.loads(pickle.dumps(notice))])
def test_copies_can_still_be_worded(again):
    assert page_text(again(FRAME)) == page_text(FRAME)
    assert page_text(Notice.from_dict(json.loads(json.dumps(FRAME.to_dict())))) == page_text(FRAME)


def test_errors_keep_their_advice_and_lose_what_steers_a_terminal():
    error = BadInput(Notice("a\x1b[2Jb is too large", Setting("max_memory", 5)))
    assert command_text(error) == "a\\x1b[2Jb is too large; pass --max-memory 5"
    assert notice_of(error).settings == (Setting("max_memory", 5),)


def test_each_interface_words_a_shortage_of_memory():
    short = shortage(1 << 40, 1 << 30, "this map")
    assert short is not None
    assert str(short).endswith("crop or downsample the map, or pass max_memory to allow more")
    assert command_text(short).endswith("or pass --max-memory to allow more")
    assert page_text(short).endswith("; crop or downsample the map")
