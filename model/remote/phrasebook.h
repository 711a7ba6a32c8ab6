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
    struct Answer
    {
        const WireAnswer *row = nullptr;
        Headers headers;
        const Template *body = nullptr; ///< null: none
    };

    const Template *find(const QString &document) const;
    const QList<Answer> &answersTo(const QString &asked) const;

    const Rules &rules;
    const Wire &wire;
    const Qt::CaseSensitivity names; ///< how names are compared
    const RequestPatterns patterns;
    const std::map<QString, Template> templates;
    const Template *const resource; ///< null: the pack has no such document
    const TypeBook types;
    QList<Keys> wraps;                            ///< where documents hold a resource's whole
    const Headers headers;                        ///< of every answer
    const QByteArray requestIdHeader, echoHeader; ///< their names; empty: there is none
    bool repeatsHeaders = false;                  ///< some answer has a header of the request
    QHash<QString, QList<Answer>> answers;        ///< by what was asked, in order
    QList<Answer> anyAnswers;                     ///< rows about anything
    const QSet<QString> failures;  ///< error codes that only work ends with, no rule refuses
    QHash<QString, HoleText> urls; ///< question -> its URL, with the hole {id} for the operation
};

} // namespace instar
