// SPDX-License-Identifier: Apache-2.0
#include "model/charts/conversionbranches.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype MostBranches = 64; ///< of one event, by the conditions that are asked

} // namespace

Result<QList<Branch>> branchesOf(
    const Interpreter &interpreter, const std::function<Move(const Answers &)> &run)
{
    QList<Branch> result;
    QList<QList<std::pair<QString, bool>>> open { {} };
    while (!open.isEmpty()) {
        const auto given = open.takeLast();
        QString unknown;
        const Answers answers = [&](const QString &name) {
            for (const auto &[known, answer] : given) {
                if (known == name)
                    return answer;
            }
            if (unknown.isEmpty())
                unknown = name;
            return false;
        };
        const Move move = run(answers);
        if (unknown.isEmpty()) {
            if (move.isEndless)
                return Error { u"arrows without events follow each other for ever%1"_s.arg(
                    move.to.active.isEmpty()
                        ? QString()
                        : u" at \"%1\""_s.arg(interpreter.configuration(move.to).join(u" + "_s))) };
            result.append({ given, move });
            continue;
        }
        if (result.size() + open.size() >= MostBranches)
            return Error {
                u"more than %1 answers to the conditions of one event lead somewhere else; that is too many to be played"_s
                    .arg(MostBranches)
            };
        for (const bool answer : { false, true }) {
            auto next = given;
            next.append({ unknown, answer });
            open.append(next);
        }
    }
    return result;
}

} // namespace instar
