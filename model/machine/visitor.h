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
    void comments() { }
};

/// What a row's kind is called.
class Heading : public Visitor
{
public:
    void row(const char *ownName, const char *ownTitle, const char *ownHelp)
    {
        name = QString::fromLatin1(ownName);
        title = QString::fromUtf8(ownTitle);
        help = QString::fromUtf8(ownHelp);
    }
    void bare(const char *, const auto &, const Holds &, const char *) { }
    void operator()(const char *, const auto &, const Holds &, const char *) { }
    void operator()(const char *, const auto &, const auto &, const Holds &, const char *) { }

    QString name, title, help;
};

Heading headingOf(const auto &row)
{
    Heading heading;
    describe(heading, row);
    return heading;
}

/// Shows `see` each member of a row: its key, itself and what it holds; of two that share a key the
/// first.
template<typename See>
class EachMember : public Visitor
{
public:
    explicit EachMember(const See &see) : m_see(see) { }
    void bare(const char *key, auto &member, const Holds &holds, const char *)
    {
        m_see(key, member, holds);
    }
    void operator()(const char *key, auto &member, const Holds &holds, const char *)
    {
        m_see(key, member, holds);
    }
    void operator()(const char *key, auto &member, auto &, const Holds &holds, const char *)
    {
        m_see(key, member, holds);
    }

private:
    const See &m_see;
};

template<typename See>
void eachMember(auto &row, const See &see)
{
    EachMember<See> each(see);
    describe(each, row);
}

} // namespace instar
