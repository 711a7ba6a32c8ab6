// SPDX-License-Identifier: Apache-2.0
#include "model/machine/checking.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// The rows that say how a pack is spoken over HTTP.
class WireCheck
{
public:
    explicit WireCheck(Checking &checking) : c(checking), m_wire(checking.pack.wire) { }

    void check()
    {
        c.row(u"/wire"_s, m_wire);
        for (qsizetype i = 0; i < m_wire.requests.size(); ++i)
            request(m_wire.requests[i], u"/wire/requests/%1"_s.arg(i));
        for (qsizetype i = 0; i < m_wire.answers.size(); ++i)
            c.row(u"/wire/answers/%1"_s.arg(i), m_wire.answers[i], Checking::Kind::Sourced);
        for (const WireDocument &document : m_wire.documents)
            c.row(pointerTo({ u"wire"_s, u"documents"_s, document.id }), document,
                Checking::Kind::Sourced);
        c.row(u"/wire/follow"_s, m_wire.follow);
        if (!m_wire.isEmpty() && m_wire.base.contains(u"{version}"_s) && m_wire.versions.isEmpty())
            c.error(u"/wire/base"_s, u"wire"_s,
                u"the base has the hole {version}, but there are no versions"_s);
    }

private:
    void request(const WireRequest &row, const QString &pointer)
    {
        c.row(pointer, row, Checking::Kind::Sourced);
        for (qsizetype i = 0; i < m_wire.requests.size() && &m_wire.requests[i] != &row; ++i) {
            if (m_wire.requests[i].method == row.method && m_wire.requests[i].path == row.path) {
                c.error(pointer, u"never-speaks"_s,
                    u"the request is never understood so: request %1 has the same method and path"_s
                        .arg(i));
                return;
            }
        }
    }

    Checking &c;
    const Wire &m_wire;
};

} // namespace

void checkWire(Checking &checking)
{
    WireCheck(checking).check();
}

} // namespace instar
