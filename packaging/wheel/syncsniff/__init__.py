"""syncsniff: where a GPU training program waits. The program itself is native; this module only finds and starts it."""
import os
import sysconfig


def program():
    """The path of the installed `syncsniff`."""
    here = os.path.dirname(os.path.abspath(__file__))
    schemes = [scheme for scheme in sysconfig.get_scheme_names() if scheme.startswith("posix")]
    folders = [sysconfig.get_path("scripts"), os.path.join(os.path.dirname(here), "bin")]  # the latter: pip --target
    for folder in folders + [sysconfig.get_path("scripts", scheme) for scheme in schemes]:
        path = os.path.join(folder, "syncsniff")
        if os.access(path, os.X_OK):
            return path
    raise FileNotFoundError(f"{folders[0]}/syncsniff: not there; install syncsniff again")
