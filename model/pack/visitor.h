// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/pack/machine.h"

namespace instar {

/// Base of visitors of descriptions, with the calls that a visitor may leave out: see Described.
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

/// Base of visitors to which a member that may stand for the row is a member like others.
template<typename Self>
struct MemberVisitor : Visitor
{
    void bare(const char *key, auto &member, const Holds &holds, const char *help)
    {
        static_cast<Self &>(*this)(key, member, holds, help);
    }
};

/// Shows `see` each member of a row: its key, itself and what it holds.
template<typename See>
class EachMember : public MemberVisitor<EachMember<See>>
{
public:
    explicit EachMember(const See &see) : m_see(see) { }
    void operator()(const char *key, auto &&member, const Holds &holds, const char *)
    {
        m_see(key, member, holds);
    }

private:
    const See &m_see;
};

/// Two members that share a key are shown as Both.
void eachKey(auto &row, const auto &see)
{
    EachMember each(see);
    describe(each, row);
}

/// Of two members that share a key the first is shown.
void eachMember(auto &row, const auto &see)
{
    eachKey(row, [&](const char *key, auto &member, const Holds &holds) {
        see(key, firstOf(member), holds);
    });
}

/// What a row's kind is called.
struct Heading : MemberVisitor<Heading>
{
    void row(const char *ownName, const char *ownTitle, const char *ownHelp)
    {
        name = QString::fromLatin1(ownName);
        title = QString::fromUtf8(ownTitle);
        help = QString::fromUtf8(ownHelp);
    }
    void operator()(const char *, const auto &, const Holds &, const char *) { }

    QString name, title, help;
};

Heading headingOf(const auto &row)
{
    Heading heading;
    describe(heading, row);
    return heading;
}

} // namespace instar
