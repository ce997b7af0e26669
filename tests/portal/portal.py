"""A desktop portal for file dialogs and for the look of the desktop.

    portal.py FILE

Each dialog that a program asks for is printed in one line, such as `files: Import files`, and is answered as soon as FILE is
there, which is then removed. The file has the addresses of the chosen files, one in each line; an empty file closes the
dialog without a choice. `SetScheme` sets whether the desktop is dark.
"""

import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

PATH = "/org/freedesktop/portal/desktop"
FILES = "org.freedesktop.portal.FileChooser"
REQUEST = "org.freedesktop.portal.Request"
SETTINGS = "org.freedesktop.portal.Settings"
APPEARANCE = "org.freedesktop.appearance"
POLL_MS = 20
# The codes of a response.
CHOSEN, CLOSED = dbus.UInt32(0), dbus.UInt32(1)


class Request(dbus.service.Object):
    """A dialog that is open."""

    @dbus.service.signal(REQUEST, signature="ua{sv}")
    def Response(self, response, results):
        pass


class Portal(dbus.service.Object):
    def __init__(self, bus, answer):
        super().__init__(bus, PATH)
        self.bus = bus
        self.answer = answer

    @dbus.service.method(FILES, in_signature="ssa{sv}", out_signature="o", sender_keyword="sender")
    def OpenFile(self, parent, title, options, sender):
        kind = "folder" if options.get("directory") else "files" if options.get("multiple") else "file"
        return self.open_dialog(kind, title, options, sender)

    @dbus.service.method(FILES, in_signature="ssa{sv}", out_signature="o", sender_keyword="sender")
    def SaveFile(self, parent, title, options, sender):
        return self.open_dialog(f"save {options['current_name']}", title, options, sender)

    @dbus.service.method("local.lunette.Test", in_signature="u")
    def SetScheme(self, scheme):
        self.SettingChanged(APPEARANCE, "color-scheme", dbus.UInt32(scheme))

    @dbus.service.signal(SETTINGS, signature="ssv")
    def SettingChanged(self, namespace, key, value):
        pass

    def open_dialog(self, kind, title, options, sender):
        sender = sender[1:].replace(".", "_")
        request = Request(self.bus, f"{PATH}/request/{sender}/{options['handle_token']}")
        print(f"{kind}: {title}", flush=True)
        GLib.timeout_add(POLL_MS, self.respond, request)
        return request.__dbus_object_path__

    def respond(self, request):
        """Answers the dialog if the answer is there; returns whether it is to be called again."""
        try:
            with open(self.answer, encoding="utf-8") as file:
                addresses = file.read().splitlines()
        except FileNotFoundError:
            return True
        os.remove(self.answer)
        if addresses:
            request.Response(CHOSEN, {"uris": dbus.Array(addresses, signature="s")})
        else:
            request.Response(CLOSED, dbus.Dictionary({}, signature="sv"))
        request.remove_from_connection()
        print("answered", flush=True)
        return False


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    session = dbus.SessionBus()
    # Both are kept for as long as the loop runs.
    name = dbus.service.BusName("org.freedesktop.portal.Desktop", session)
    portal = Portal(session, sys.argv[1])
    print("ready", flush=True)
    GLib.MainLoop().run()
    return name, portal


main()
