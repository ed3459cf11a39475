"""papermill for notebooks in Go: parameters of the command line replace those of the cell tagged "parameters".

    python notebooks/papermill_go.py notebook.ipynb out.ipynb -p lr 0.5 -p name toy

All else is as papermill has it. A cell of parameters begins with %%parameters and declares variables: var lr = 0.1. Numbers,
booleans, strings and lists of one of them can be given.
"""
import json
import re
import sys

from papermill.cli import papermill
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators


class GoTranslator(Translator):
    """Parameters as declarations in Go."""

    @classmethod
    def translate_none(cls, val):
        raise ValueError("a parameter without a value has no type in Go")

    @classmethod
    def translate_str(cls, val):
        return json.dumps(val, ensure_ascii=False).replace("\x7f", "\\x7f")

    @classmethod
    def translate_float(cls, val):
        if val != val or val in (float("inf"), float("-inf")):
            raise ValueError(f"{val} is no constant of Go")
        return repr(val)

    @classmethod
    def translate_list(cls, val):
        kinds = {type(v) for v in val}
        names = {bool: "bool", int: "int", float: "float64", str: "string"}
        if kinds == {int, float}:
            kinds = {float}
        if len(kinds) != 1 or kinds - names.keys():
            raise ValueError(f"{val}: a list of bools, numbers or strings has a type in Go")
        return "[]" + names[kinds.pop()] + "{" + ", ".join(cls.translate(v) for v in val) + "}"

    @classmethod
    def comment(cls, cmt_str):
        return f"// {cmt_str}".strip()

    @classmethod
    def assign(cls, name, str_val):
        return f"var {name} = {str_val}"

    @classmethod
    def codify(cls, parameters, comment="Parameters"):
        return "%%parameters\n" + super().codify(parameters, comment)

    @classmethod
    def inspect(cls, parameters_cell):
        """The variables that the cell declares."""
        found = re.findall(r"^var (\w+)(?: ([^=\n]+?))? = (.*?)(?: *// *(.*))?$", parameters_cell["source"], re.M)
        return [Parameter(name, typ or "None", value, note) for name, typ, value, note in found]


papermill_translators.register("go", GoTranslator)

if __name__ == "__main__":
    sys.exit(papermill())
