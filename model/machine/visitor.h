// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/machine.h"

namespace instar {

/// What a visitor of descriptions need not do: see Described. Its own members hide these.
struct Visitor
{
    void row(const char *, const char *, const char *) { }
    void mark(const char *, const char *) { }
    void kept(const char *, const QList<Extra> &, const char *) { }
    void excludes(const char *, const char *) { }
    void needs(const char *, const char *) { }
    void oneOf(const char *, const char *) { }
    void textNeeds(const char *, const char *) { }
    void extras(const QList<Extra> &) { }
};

} // namespace instar
