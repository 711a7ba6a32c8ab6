// SPDX-License-Identifier: Apache-2.0
#include "model/remote/writer.h"

#include "model/engine/hex.h"
#include "model/remote/writerbytes.h"

#include <QDateTime>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// As HTTP has dates (RFC 9110, 5.6.7).
const QString &httpDate()
{
    static thread_local qint64 second = 0;
    static thread_local QString text;
    const qint64 now = QDateTime::currentSecsSinceEpoch();
    if (now != second) {
        second = now;
        text = QLocale::c().toString(
            QDateTime::fromSecsSinceEpoch(now, Qt::UTC), u"ddd, dd MMM yyyy hh:mm:ss 'GMT'"_s);
    }
    return text;
}

/// An identity that is the same whenever the same resource is asked for: a hash of its path, as a
/// UUID of version 8 (RFC 9562: custom).
HexGroups instance(const QString &path)
{
    quint64 halves[2] { 0xcbf29ce484222325u, 0x84222325cbf29ce4u };
    for (const QChar c : path) {
        const char16_t letter = c.unicode();
        const char16_t folded = letter >= 0x80 ? c.toCaseFolded().unicode()
            : letter >= u'A' && letter <= u'Z' ? char16_t(letter + 0x20)
                                               : letter;
        for (quint64 &half : halves) {
            half ^= folded;
            half *= 0x100000001b3u;
            half ^= half >> 29;
        }
    }
    return hexGroups((halves[0] & ~0xf000ull) | 0x8000u,
        (halves[1] & 0x3fffffffffffffffull) | 0x8000000000000000ull);
}

} // namespace

WireWriter::WireWriter(const Phrasebook &book, const Messages::About &about)
    : m_book(book), r(book.rules), m_about(about)
{
    if (about.world && about.resource != NoResource && about.world->tree.exists(about.resource))
        m_focus.resource = about.resource;
    else
        m_focus.path = about.path;
}

std::optional<QByteArrayView> WireWriter::text(const HoleText &withHoles)
{
    if (withHoles.holes.isEmpty())
        return withHoles.literals.first();
    Out &out = m_text;
    out.clear();
    append(withHoles.literals.first(), &out);
    for (qsizetype i = 0; i < withHoles.holes.size(); ++i) {
        const qsizetype begin = out.size();
        fill(withHoles.holes[i], m_focus, &out);
        if (out.size() == begin)
            return {};
        append(withHoles.literals[i + 1], &out);
    }
    return QByteArrayView(out.constData(), out.size());
}

const QString &WireWriter::pathOf(Focus &focus) const
{
    if (focus.path.isEmpty() && focus.resource != NoResource)
        focus.path = m_about.world->tree.path(focus.resource);
    return focus.path;
}

/// Appends what a hole is filled with, as UTF-8; nothing where it is not known.
void WireWriter::fill(Hole hole, Focus &focus, Out *out) const
{
    const Operation *operation = m_about.operation;
    switch (hole) {
    case Hole::Id:
        return operation ? append(operation->id, out) : void();
    case Hole::Op:
        return append(operation ? operation->op : m_about.op, out);
    case Hole::Status:
        return operation
            ? append(statusName(operation->status == Status::Waiting ? Status::InProgress
                                                                     : operation->status),
                out)
            : void();
    case Hole::OtherId:
        return operation ? append(operation->canceledBy, out) : void();
    case Hole::OtherOp: {
        const Operation *other = operation && m_about.operations
            ? m_about.operations->find(operation->canceledBy)
            : nullptr;
        return other ? append(other->op, out) : void();
    }
    case Hole::OperationUrl:
        return operation ? fillUrl(u"operation"_s, focus, out) : void();
    case Hole::ResultUrl:
        return operation ? fillUrl(u"result"_s, focus, out) : void();
    case Hole::ErrorCode:
        return append(m_about.code, out);
    case Hole::ErrorMessage:
        return append(m_about.message, out);
    case Hole::RequestId:
        return append(m_about.requestId, out);
    case Hole::Date:
        return append(httpDate(), out);
    case Hole::Version:
        return append(m_about.version, out);
    case Hole::LastVersion:
        return m_book.wire.versions.isEmpty() ? void() : append(m_book.wire.versions.last(), out);
    case Hole::RetryAfter:
        return m_about.retryAfter < 0 ? void()
                                      : append(QByteArray::number(m_about.retryAfter), out);
    default:
        return fillOfResource(hole, focus, out);
    }
}

void WireWriter::fillOfResource(Hole hole, Focus &focus, Out *out) const
{
    switch (hole) {
    case Hole::Path:
        return append(pathOf(focus), out);
    case Hole::Name:
        return append(QStringView(pathOf(focus)).sliced(pathOf(focus).lastIndexOf(u'/') + 1), out);
    case Hole::Type:
        return append(typePathOf(pathOf(focus)), out);
    case Hole::State:
        return focus.resource == NoResource
            ? void()
            : append(r.shown(m_about.world->tree.code(focus.resource)), out);
    case Hole::Etag:
        if (focus.etag.isEmpty() && focus.resource != NoResource)
            focus.etag = etag(*m_about.world, focus.resource);
        return append(focus.etag, out);
    case Hole::Guid: {
        const HexGroups groups = instance(pathOf(focus));
        return out->append(groups.data(), groups.size());
    }
    default:
        return;
    }
}

void WireWriter::fillUrl(const QString &question, Focus &focus, Out *out) const
{
    const auto found = m_book.urls.constFind(question);
    if (found == m_book.urls.constEnd())
        return;
    append(m_about.origin, out);
    append(found->literals.first(), out);
    for (qsizetype i = 0; i < found->holes.size(); ++i) {
        fill(found->holes[i], focus, out);
        append(found->literals[i + 1], out);
    }
}

} // namespace instar
