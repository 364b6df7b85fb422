"""A directive that writes the reference of the command line from the commands themselves."""

import click
from docutils import nodes
from docutils.parsers.rst import Directive

from crevasse.cli.main import cli


class Commands(Directive):
    """Each command with the help that it prints."""

    def run(self) -> list[nodes.Node]:
        context = click.Context(cli, info_name="crevasse")
        sections = []
        for name in cli.list_commands(context):
            try:
                command = cli.get_command(context, name)
            except click.UsageError as error:
                text = error.message
            else:
                assert command is not None
                own = click.Context(command, info_name=name, parent=context, max_content_width=96)
                own.meta["crevasse.cli.help"] = True
                text = command.get_help(own)
            section = nodes.section(ids=[f"crevasse-{name}"])
            section += nodes.title(text=f"crevasse {name}")
            section += nodes.literal_block(text, text, language="none")
            sections.append(section)
        sections.append(_methods())
        return sections


def _methods() -> nodes.section:
    """The settings of every method, as --help-method prints them."""
    from crevasse.cli.help import method_help
    from crevasse.methods import METHODS

    section = nodes.section(ids=["settings-of-methods"])
    section += nodes.title(text="Settings of methods")
    for name in METHODS:
        text = method_help(name)
        section += nodes.literal_block(text, text, language="none")
    return section


def setup(app) -> dict[str, bool]:
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
