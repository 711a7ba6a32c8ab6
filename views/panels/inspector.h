// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/explanation.h"
#include "model/items/liveconformance.h"
#include "model/pack/pack.h"
#include "views/htmlview.h"
#include "views/selection.h"

#include <QPointer>

namespace instar {

// Pages of the inspector, as HTML. The links "path:/a/b", "operation:12", "source:R6" and
// "violation:3" open pages; "back:" closes the page of a source. "switch:name" opens a comparison
// of a switch's values. "play:3" plays the shortest history that shows violation 3; "proof:3" saves
// this history.

QString operationText(const Controller &controller, quint32 serial);
/// Page of a failed or refused operation: cause and rule. For a refusal, link "again:12" retries
/// operation 12 when the conflicting one has ended; "cancel:9" cancels conflicting operation 9.
QString answerText(const Controller &controller, quint32 serial);
/// Title of an operation: "A’s PUT on Rack-1".
QString titleOf(const Operation &operation);
QString stateText(const Controller &controller, int machine, const QString &state);
/// `row`: index of the transition in its machine.
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
    /// Shows the newest violation; without one, the number of checked requests and observations.
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
    /// Save the shortest history that shows a violation, by its number.
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
        std::optional<qint64> violation {}; ///< number of a violation at the resource
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
    Operation m_operation;         ///< copy of the last one shown, for times before its submission
    QString m_text;
    /// Path and state code of the resource that m_why explains; no code: it does not exist.
    std::optional<std::pair<QString, std::optional<Code>>> m_whyOf;
    std::optional<Explanation> m_why;
};

} // namespace instar
