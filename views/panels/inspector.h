// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/explanation.h"
#include "model/items/liveconformance.h"
#include "model/pack/pack.h"
#include "views/htmlview.h"
#include "views/selection.h"

#include <QPointer>

namespace instar {

// Pages of the inspector, as HTML. Links are "path:/a/b", "operation:12" and "source:R6";
// "switch:name" asks what another value of it would change. Of a violation, "play:3" asks to play
// the shortest history that shows it, "proof:3" to save that, "violation:3" to go there.
// "back:" returns from a source.

QString operationText(const Controller &controller, quint32 serial);
/// Page of a refusal: code, operation in the way, rule and remedies; "again:12" asks to retry when
/// that operation has ended, "cancel:12" to cancel it. Of a failure: what chose it, and the rule.
QString answerText(const Controller &controller, quint32 serial);
/// Title of an operation: "A’s PUT on Rack-1".
QString titleOf(const Operation &operation);
QString stateText(const Controller &controller, int machine, const QString &state);
/// `row` is the transition's in its machine.
QString transitionText(const Controller &controller, int machine, int row);

/// Details of the selection, as text that can be copied, with links to related resources,
/// operations and rules.
class Inspector : public HtmlView
{
    Q_OBJECT
public:
    /// Shows what was selected last.
    Inspector(const Controller &controller, Selection &selection, QWidget *parent = nullptr);

    /// Adds expected states and violations to the pages; null: does not.
    void setConformance(const LiveConformance *conformance);
    void showSource(const QString &key);
    /// Shows what was checked at a server; or a violation, by its number.
    void showVerdict() { show({ Shown::Kind::OfVerdict, {}, 0, 0 }); }
    void showViolation(qint64 number);
    /// Serial of the operation shown; 0: something else is shown.
    quint32 operation() const
    {
        return m_shown.kind == Shown::Kind::OfOperation ? m_shown.number : 0;
    }

protected:
    /// Copies without the invisible marks at which long paths may wrap.
    QMimeData *createMimeDataFromSelection() const override;

signals:
    /// The user wants to know what another value of a switch would change.
    void switchAsked(const QString &name);
    /// Play the shortest history that shows a violation, by its number.
    void traceAsked(qint64 violation);
    /// Save that history.
    void proofAsked(qint64 violation);
    void violationAsked(qint64 violation);
    /// Retry a refused operation when the one in its way has ended.
    void fireAgainAsked(quint32 refused);
    void cancelAsked(quint32 operation);

private:
    struct Shown
    {
        enum class Kind { OfResource, OfOperation, OfState, OfTransition, OfSource, OfVerdict };
        Kind kind = Kind::OfResource;
        QString name;       ///< path of a resource, id of a state, key of a source
        quint32 number = 0; ///< serial of an operation, row of a transition
        int machine = 0;
        std::optional<qint64> violation {}; ///< number of the one at a resource
        bool operator==(const Shown &) const = default;
    };
    void showRows(const SelectedRows &rows);
    void show(const Shown &shown);
    const std::optional<Explanation> &why(const QString &path);
    QString contextText();
    QString lastAnswer();
    void refresh();

    const Controller &m_controller;
    QPointer<const LiveConformance> m_conformance;
    Shown m_shown, m_beforeSource; ///< now, and before a source was shown
    Operation m_operation;         ///< shown last, kept for times before it was submitted
    QString m_text;
    /// Path and state code of the resource that m_why explains; no code: it does not exist.
    std::optional<std::pair<QString, std::optional<Code>>> m_whyOf;
    std::optional<Explanation> m_why;
};

} // namespace instar
