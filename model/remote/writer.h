// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/stored.h"

#include <map>

namespace instar {

/// What a pack's wire rows come to, read once.
struct Phrasebook
{
    explicit Phrasebook(const Rules &rules);

    using Headers = QList<std::pair<QByteArray, HoleText>>;
    struct Answer
    {
        const WireAnswer *row = nullptr;
        Headers headers;
    };

    std::map<QString, Template> templates;
    QHash<QString, QStringList> backs; ///< type -> its properties that list who refers to it
    Headers headers;                   ///< of every answer
    QHash<QString, QList<Answer>> answers; ///< by what was asked, in order
    QList<Answer> anyAnswers;              ///< rows about anything
    QHash<QString, HoleText> urls;         ///< question -> its URL, with the hole {id} for the operation

    const Template *find(const QString &document) const;
    const QList<Answer> &answersTo(const QString &asked) const;
};

/// Fills the holes of headers and documents for one answer.
class WireWriter
{
public:
    WireWriter(const Rules &rules, const Phrasebook &book, const Messages::About &about);

    /// A text with its holes filled; nothing where one is not known.
    std::optional<QString> text(const HoleText &withHoles) const;
    QByteArray document(const QString &id) const;

private:
    using Node = Template::Node;
    /// A resource that a part of a document is about.
    struct Focus
    {
        Resource resource = NoResource;
        QString path;
    };
    Focus focus() const;
    Focus focusOn(Resource resource) const;
    QString hole(Hole hole, const Focus &focus) const;
    QString filled(const HoleText &withHoles, const Focus &focus) const;
    void write(const Template &document, const Focus &focus, QByteArray *out) const;
    void write(const Node &node, Value stored, const Focus &focus, QByteArray *out) const;
    void writeObject(const Node &node, Value stored, const Focus &focus, QByteArray *out) const;
    void writeResources(QByteArray *out) const;
    void writeStored(const Node &node, Value stored, const Focus &focus, QByteArray *out) const;
    void writeChildren(const Template &child, const Focus &focus, QByteArray *out) const;
    void writeReferrers(const Template &reference, const Focus &focus, QByteArray *out) const;
    QByteArray storedBody(const Template &document, const Focus &focus) const;
    QString url(const QString &question) const;

    const Rules &r;
    const Phrasebook &m_book;
    const Messages::About &m_about;
};

} // namespace instar
