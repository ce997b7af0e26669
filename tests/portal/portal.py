"""A portal for files and for the look: portal.py FILE. It answers each dialog with the address in that file, once the file
is there; an empty file is a dialog that was closed. Whether the desktop is dark is told to it by a call of its own."""

import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

FILES = "org.freedesktop.portal.FileChooser"
REQUEST = "org.freedesktop.portal.Request"
SETTINGS = "org.freedesktop.portal.Settings"
APPEARANCE = "org.freedesktop.appearance"


class Request(dbus.service.Object):
    """A dialog that is open."""

    @dbus.service.signal(REQUEST, signature="ua{sv}")
    def Response(self, response, results):
        pass


class Portal(dbus.service.Object):
    """The portal."""

    def __init__(self, bus, answer):
        super().__init__(bus, "/org/freedesktop/portal/desktop")
        self.bus = bus
        self.answer = answer

    @dbus.service.method(FILES, in_signature="ssa{sv}", out_signature="o", sender_keyword="sender")
    def OpenFile(self, parent, title, options, sender):
        sender = sender[1:].replace(".", "_")
        request = Request(self.bus, f"/org/freedesktop/portal/desktop/request/{sender}/{options['handle_token']}")
        print("asked OpenFile", title, flush=True)
        GLib.timeout_add(20, self.respond, request)
        return request.__dbus_object_path__

    @dbus.service.method("local.lunette.Test", in_signature="u")
    def SetScheme(self, scheme):
        self.SettingChanged(APPEARANCE, "color-scheme", dbus.UInt32(scheme))

    @dbus.service.signal(SETTINGS, signature="ssv")
    def SettingChanged(self, namespace, key, value):
        pass

    def respond(self, request):
        if not os.path.exists(self.answer):
            return True
        with open(self.answer, encoding="utf-8") as file:
            address = file.read()
        if address:
            request.Response(dbus.UInt32(0), {"uris": dbus.Array([address], signature="s")})
        else:
            request.Response(dbus.UInt32(1), dbus.Dictionary({}, signature="sv"))
        request.remove_from_connection()
        print("answered", flush=True)
        return False


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
session = dbus.SessionBus()
name = dbus.service.BusName("org.freedesktop.portal.Desktop", session)
portal = Portal(session, sys.argv[1])
print("ready", flush=True)
GLib.MainLoop().run()
