// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/messages.h"
#include "model/remote/phrasebook.h"

#include <QVarLengthArray>

namespace instar {

/// Fills the holes of headers and documents for one answer.
class WireWriter
{
public:
    WireWriter(const Phrasebook &book, const Messages::About &about);

    /// A text with its holes filled, as UTF-8; nothing where one is not known. Lasts until the
    /// next.
    std::optional<QByteArrayView> text(const HoleText &withHoles);
    QByteArray document(const Template &document);

private:
    using Out = QVarLengthArray<char, 2048>;
    /// A resource that a document is about, and what was found out of it meanwhile.
    struct Focus
    {
        Resource resource = NoResource;
        QString path, etag; ///< empty: not asked for yet
    };
    const QString &pathOf(Focus &focus) const;
    const Template *find(const QString &document, Focus &focus) const;

    void fill(Hole hole, Focus &focus, Out *out) const;
    void fillNamed(Hole hole, const QString &name, Out *out);
    void fillOfResource(Hole hole, Focus &focus, Out *out) const;
    void fillUrl(const QString &question, Focus &focus, Out *out) const;
    static void addBackslashes(qsizetype begin, Out *out);
    void fillString(Hole hole, Focus &focus, Out *out) const;

    void write(const Template &document, Focus &focus, Out *out) const;
    void write(const Template &document, Value stored, Focus &focus, Out *out) const;
    static void writeSet(Value value, Out *out);
    void writeStored(const Template::Part &part, Value stored, const Focus &focus, Out *out) const;
    void writeChildren(const QString &document, const Focus &focus, Out *out) const;
    void writeReferrers(const QString &document, Focus &focus, Out *out) const;
    void writeResources(Out *out) const;
    void writeDetails(Out *out) const;
    void writeProperty(const Template::Part &part, Focus &focus, Out *out) const;
    void writeDocument(const Template::Part &part, Focus &focus, Out *out) const;
    void writeParts(
        const std::vector<Template::Part> &parts, Value stored, Focus &focus, Out *out) const;
    QByteArray storedBody(const Template &document, Focus &focus) const;

    const Phrasebook &m_book;
    const Rules &r;
    const Messages::About &m_about;
    Focus m_focus; ///< what the answer is about
    Out m_text;
    mutable int m_depth = 0; ///< of documents in documents
};

} // namespace instar
