// SPDX-License-Identifier: Apache-2.0
#include "model/machine/checking.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QStringList questions { u"resource"_s, u"collection"_s, u"operation"_s, u"result"_s };

/// The rows that say how a pack is spoken over HTTP.
class WireCheck
{
public:
    explicit WireCheck(Checking &checking) : c(checking), m_wire(checking.pack.wire)
    {
        m_asks = questions + c.pack.operationNames();
        for (const WireDocument &document : m_wire.documents)
            m_documents += document.id;
    }

    void check()
    {
        c.row(u"/wire"_s, m_wire);
        for (qsizetype i = 0; i < m_wire.requests.size(); ++i)
            request(m_wire.requests[i], u"/wire/requests/%1"_s.arg(i));
        for (qsizetype i = 0; i < m_wire.answers.size(); ++i)
            answer(m_wire.answers[i], u"/wire/answers/%1"_s.arg(i));
        for (const WireDocument &document : m_wire.documents)
            c.row(pointerTo({ u"wire"_s, u"documents"_s, document.id }), document,
                Checking::Kind::Sourced);
        c.row(u"/wire/follow"_s, m_wire.follow);
        if (!m_wire.isEmpty() && m_wire.base.contains(u"{version}"_s) && m_wire.versions.isEmpty())
            c.error(u"/wire/base"_s, u"wire"_s,
                u"the base has the hole {version}, but there are no versions"_s);
    }

private:
    void document(const QString &pointer, const QString &id)
    {
        if (!id.isEmpty() && !m_documents.contains(id))
            c.unknown(pointer + u"/body"_s, u"document"_s, id, m_documents);
    }

    void request(const WireRequest &row, const QString &pointer)
    {
        c.row(pointer, row, Checking::Kind::Sourced);
        if (!m_asks.contains(row.ask) && !m_documents.contains(row.ask))
            c.unknown(pointer + u"/ask"_s, u"operation, question or document"_s, row.ask,
                m_asks + m_documents);
        document(pointer, row.body);
        for (qsizetype i = 0; i < m_wire.requests.size() && &m_wire.requests[i] != &row; ++i) {
            if (m_wire.requests[i].method == row.method && m_wire.requests[i].path == row.path) {
                c.error(pointer, u"never-speaks"_s,
                    u"the request is never understood so: request %1 has the same method and path"_s
                        .arg(i));
                return;
            }
        }
    }

    void answer(const WireAnswer &row, const QString &pointer)
    {
        c.row(pointer, row, Checking::Kind::Sourced);
        for (const QString &to : row.to) {
            if (!m_asks.contains(to) && !m_documents.contains(to))
                c.unknown(pointer + u"/to"_s, u"operation, question or document"_s, to,
                    m_asks + m_documents);
        }
        const QStringList operations = c.pack.operationNames();
        for (const QString &op : row.op) {
            if (!operations.contains(op))
                c.unknown(pointer + u"/op"_s, u"operation"_s, op, operations);
        }
        const QStringList moments = QStringList { u"started"_s, u"observed"_s, u"rejected"_s,
            u"running"_s, u"found"_s, u"missing"_s, u"superseded"_s }
            + c.outcomes;
        for (const QString &at : row.at) {
            if (!moments.contains(at))
                c.unknown(pointer + u"/at"_s, u"moment or outcome"_s, at, moments);
        }
        document(pointer, row.body);
    }

    Checking &c;
    const Wire &m_wire;
    QStringList m_asks, m_documents;
};

} // namespace

void checkWire(Checking &checking)
{
    WireCheck(checking).check();
}

} // namespace instar
