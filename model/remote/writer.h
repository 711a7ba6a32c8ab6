// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/messages.h"
#include "model/remote/wirerules.h"
namespace instar {

/// Fills the holes of headers and documents for one answer.
class WireWriter
{
public:
    WireWriter(const WireRules &book, const Messages::About &about);

    /// Fills the holes of a text, as UTF-8; nothing if one is unknown.
    std::optional<QByteArray> text(const HoleText &withHoles);
    void addHeaders(const WireRules::Headers &rows, HttpHeaders *headers);
    QByteArray document(const Template &document);

private:
    /// A resource that a document describes, with what was looked up of it.
    struct Focus
    {
        Resource resource = NoResource;
        QString path, etag; ///< empty: not looked up yet
    };
    const QString &pathOf(Focus &focus) const;
    const Template *find(const QString &document, Focus &focus) const;
    const Template *find(const QString &document, int type) const;
    QMap<int, QList<Resource>> shownBelow(const Focus &focus) const;
    QByteArray storedBody(const Template &document, Focus &focus) const;

    QString value(Hole hole, Focus &focus) const;
    QString ofResource(Hole hole, Focus &focus) const;
    QString url(const QString &question, Focus &focus) const;
    QByteArray named(Hole hole, const QString &name);

    void comma();
    void write(const Template &document, Focus &focus);
    void writeItems(const Template &document, const QList<Resource> &resources);
    void writeSet(Value value);
    void writeStored(const Template::Part &part, Value stored, const Focus &focus);
    void writeChildren(const QString &document, const Focus &focus);
    void writeReferrers(const QString &document, Focus &focus);
    void writeResources();
    void writeDetails();
    void writeProperty(const Template::Part &part, Focus &focus);
    void writeDocument(const Template::Part &part, Focus &focus);
    void writeParts(const std::vector<Template::Part> &parts, Value stored, Focus &focus);

    const WireRules &m_book;
    const Rules &r;
    const Messages::About &m_about;
    Focus m_focus;    ///< what the answer is about
    QByteArray m_out; ///< the document so far
    int m_depth = 0;  ///< of nested documents
};

/// Body of a client's request: the given one, with members that answer the request's conditions;
/// else composed of the request's properties and what it requests of resources below, each in its
/// place in the row's document. A stored time is repeated if nothing else answers a condition. An
/// error names what has no place.
Result<QByteArray> requestBody(
    const WireRules &book, const WireRequest &row, const Request &request, const WireClock &clock);

} // namespace instar
