"""Where this package does not run, and what an import says there."""

import sysconfig

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise ImportError("phalanx does not run on free-threaded builds of Python: use a build with the GIL")

_REFUSAL = "phalanx does not run in sub-interpreters: import it in the main one"

try:
    from phalanx import _phalanx
except ImportError as error:
    if "interpreter" in str(error):
        raise ImportError(_REFUSAL) from error
    raise

if not _phalanx.is_main_interpreter():
    raise ImportError(_REFUSAL)
