"""The base of parameter types: Click's, which can be subscripted for type checkers in its newest versions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    ParameterType = click.ParamType[Any]
else:
    ParameterType = click.ParamType
