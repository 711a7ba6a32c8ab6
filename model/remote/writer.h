// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/stored.h"

#include <map>

namespace instar {

/// What a pack's wire rows come to, read once.
struct Phrasebook
{
    explicit Phrasebook(const Rules &rules);

    std::map<QString, Template> templates;
    QHash<QString, QStringList> backs; ///< type -> its properties that list who refers to it, folded
    const Template *find(const QString &document) const;
};

/// Fills the holes of headers and documents for one answer.
class WireWriter
{
public:
    WireWriter(const Rules &rules, const Phrasebook &book, const Messages::About &about);

    /// What a hole is filled with; empty: it is not known.
    QString hole(const QString &name) const;
    /// A text with its holes filled; nothing where one is not known.
    std::optional<QString> text(const QString &withHoles) const;
    QByteArray document(const QString &id) const;

private:
    /// A resource that a part of a document is about.
    struct Focus
    {
        Resource resource = NoResource;
        QString path;
    };
    Focus focusOn(Resource resource) const;
    QString hole(const QString &name, const Focus &focus) const;
    QString filled(const QString &withHoles, const Focus &focus) const;
    void write(const Template &document, const Focus &focus, QByteArray *out) const;
    void write(const Template &document, Value value, const QStringList &place, Value stored, const Focus &focus, QByteArray *out) const;
    void writeObject(const Template &document, Value value, const QStringList &place, Value stored, const Focus &focus, QByteArray *out) const;
    void writeList(Value value, QByteArray *out) const;
    void writeStored(const Template &document, const QStringList &place, Value stored, const Focus &focus, QByteArray *out) const;
    void writeChildren(const Template &child, const Focus &focus, QByteArray *out) const;
    void writeReferrers(const Template &reference, const Focus &focus, QByteArray *out) const;
    QByteArray storedBody(const Template &document, const Focus &focus) const;
    QString url(const QString &ask, const QString &operation) const;

    const Rules &r;
    const Phrasebook &m_book;
    const Messages::About &m_about;
};

} // namespace instar
