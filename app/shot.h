// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace instar {

class Program;

/// Opens `source`, plays a small script on it, and saves a picture of the window: how the
/// documentation's pictures are made. The script's steps are separated by ";": "PUT /a/b client B
/// hang failures 2 duration 500 outcome Failed", "wait 200" (virtual ms), "select /a/b", "back" (a
/// step), "new /a/b" (describes a resource below it), "more" (opens the fire bar's details).
/// Returns what is wrong; empty: nothing.
QString takeShot(Program &program, const QString &source, const QString &script,
    const QString &size, const QString &file);

} // namespace instar
