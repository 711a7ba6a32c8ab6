// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/remote/requestpatterns.h"
#include "model/remote/typebook.h"

#include <QHash>
#include <QSet>

#include <map>

namespace instar {

/// What a pack's wire rows come to, read once. The rules must outlive it.
struct Phrasebook
{
    explicit Phrasebook(const Rules &rules);
    Q_DISABLE_COPY_MOVE(Phrasebook)

    using Headers = QList<std::pair<QByteArray, HoleText>>;
    static Headers headersOf(const QList<WireHeader> &rows);
    struct Answer
    {
        const WireAnswer *row = nullptr;
        Headers headers;
        const Template *body = nullptr; ///< null: none
    };

    const Template *find(const QString &document) const;
    /// The document that a type has in that one's place, else that one.
    const Template *find(const QString &document, const TypeParts *type) const;
    /// The same for what is at a path, and how that itself is written.
    const Template *findAt(const QString &document, const QString &path) const;
    const Template *resourceAt(const QString &path) const;
    /// The document that one only wraps, for what is at a path; else itself.
    const Template *inside(const Template *document, const QString &path) const;
    /// A document with what it only wraps; null: as it is.
    QByteArray wrapped(const Template *document, QByteArray inside) const;
    /// What holes of paths stand for in a resource's name; empty: nothing.
    PathTemplate::Filling partsOfName(const QString &path) const;
    /// A type's name of such parts; empty: some are missing.
    QString nameOfParts(const QString &typePath, const PathTemplate::Filling &parts) const;
    const TypeParts *typeAt(const QString &path) const; ///< of a resource or collection
    /// How resources of a type are written; null type: of those without documents of their own.
    const Template *resourceOf(const TypeParts *type) const
    {
        return type ? type->resource : resource;
    }
    const QList<Answer> &answersTo(const QString &asked) const;

    const Rules &rules;
    const Wire &wire;
    const Qt::CaseSensitivity names; ///< how names are compared
    const RequestPatterns patterns;
    const std::map<QString, Template> templates;
    const Template *const resource; ///< null: the pack has no such document
    const TypeBook types;
    QList<QStringList>
        wraps; ///< where documents hold a resource's whole, for types that are not known
    bool areDocumentsOfTypes = false;             ///< some type has documents of its own
    const Headers headers;                        ///< of every answer
    const QByteArray requestIdHeader, echoHeader; ///< their names; empty: there is none
    bool repeatsHeaders = false;                  ///< some answer has a header of the request
    QHash<QString, QList<Answer>> answers;        ///< by what was asked, in order
    QList<Answer> anyAnswers;                     ///< rows about anything
    const QSet<QString> failures; ///< error codes that only work ends with, no rule refuses
    /// The first row that asks so about that path; null: there is none.
    const WireRequest *rowFor(const QString &ask, const QString &about) const;
    /// The path of a row with its holes filled, and its query.
    QByteArray targetOf(const WireRequest &row, const QString &about, const QString &version) const;
    QHash<QString, HoleText> urls; ///< question -> its URL, with the hole {id} for the operation
};

} // namespace instar
