"""An agent of GeoClue's that a test is: answers for the user. ARGUMENTS: allow|deny FILE; a number in FILE is the
accuracy level that is allowed from then on, 0 = none."""
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

AGENT = "org.freedesktop.GeoClue2.Agent"
SERVICE = "org.freedesktop.GeoClue2"


class Agent(dbus.service.Object):
    # GeoClue 2.6 asks about sandboxed apps alone; for the others the level says all.
    level = 8 if sys.argv[1] == "allow" else 0

    @dbus.service.method(AGENT, in_signature="su", out_signature="bu")
    def AuthorizeApp(self, desktop_id, level):
        print("asked", desktop_id, flush=True)
        return sys.argv[1] == "allow", level

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return dbus.UInt32(self.level)

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {"MaxAccuracyLevel": dbus.UInt32(self.level)}

    @dbus.service.signal(dbus.PROPERTIES_IFACE, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
agent = Agent(bus, "/org/freedesktop/GeoClue2/Agent")
manager = dbus.Interface(bus.get_object(SERVICE, "/org/freedesktop/GeoClue2/Manager"), SERVICE + ".Manager")
# Not waited for: GeoClue asks the agent before it answers.
manager.AddAgent(
    "yonder-test-agent",
    reply_handler=lambda: print("ready", flush=True),
    error_handler=lambda error: print("refused", error, flush=True),
)
last = [""]


def look():
    """The level that stands in a file, as the standard input of a test's process is closed."""
    try:
        with open(sys.argv[2]) as file:
            text = file.read().strip()
    except OSError:
        text = ""
    if text and text != last[0]:
        last[0] = text
        agent.level = int(text)
        agent.PropertiesChanged(AGENT, {"MaxAccuracyLevel": dbus.UInt32(agent.level)}, [])
    return True


GLib.timeout_add(50, look)
GLib.MainLoop().run()
