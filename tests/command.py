"""The command line, run inside the process of the tests."""

from click.testing import CliRunner

from crevasse.cli.main import cli


def run(*words, code=0):
    """Run a command, and check its exit code."""
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == code, done.stderr + done.stdout
    return done
