// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/explanation.h"
#include "model/items/liveconformance.h"
#include "model/pack/pack.h"
#include "views/drawing/theme.h"
#include "views/htmlview.h"
#include "views/selection.h"

#include <QPointer>

#include <functional>
#include <variant>

namespace instar {

// What the inspector says, as rich text. Links are "path:/a/b", "operation:12" and
// "source:R6"; "switch:name" asks what another value of it would change.

/// `why`: what moved it last, if that is known. With a forecast also what the rules say beside what
/// a server shows; "play:/a/b" asks to play the shortest history that shows where it left them.
QString resourceText(const Controller &controller, const QString &path, const Theme &theme,
    const std::optional<Explanation> &why = {}, const LiveConformance *conformance = nullptr);
QString operationText(const Controller &controller, quint32 serial, const Theme &theme);
/// A refusal: code, what is in the way, the rule, and what can be done; "again:12" asks to fire it
/// when it is free, "cancel:12" to cancel an operation.
QString answerText(const Controller &controller, quint32 serial, const Theme &theme);
/// "A’s PUT on Rack-1".
QString titleOf(const Operation &operation);
/// Of an operation that at this moment nobody has asked for yet, or that is forgotten; and of its
/// target.
QString spontaneousText(
    const Controller &controller, const Operation &operation, const Theme &theme);
QString stateText(
    const Controller &controller, int machine, const QString &state, const Theme &theme);
/// `row` is the transition's in its machine.
QString transitionText(const Controller &controller, int machine, int row, const Theme &theme);

/// A lesson that shows a rule: its file and title.
struct LessonOnRule
{
    QString file, title;
};
/// A source of the pack: what it is, what it says, what rests on it and where it is taught;
/// "lesson:file" leads there, "back:" back.
QString sourcePage(const Controller &controller, const QString &key,
    const QList<LessonOnRule> &lessons, const Theme &theme);

/// Everything that is known of what is selected; text to be selected and copied, with links to what
/// it speaks of.
class Inspector : public HtmlView
{
    Q_OBJECT
public:
    /// Tells of what was chosen last.
    Inspector(const Controller &controller, Selection &selection, QWidget *parent = nullptr);

    /// What the rules allow beside what a server shows.
    void setConformance(const LiveConformance *conformance);
    void showSource(const QString &key);
    /// Who knows which lessons show a rule.
    void setLessons(std::function<QList<LessonOnRule>(const QString &key)> lessons);
    /// Serial of the operation that is told of; 0: it is something else.
    quint32 operation() const
    {
        return m_shown.kind == Shown::Kind::AnOperation ? m_shown.number : 0;
    }

protected:
    /// Without the marks that let long paths be broken.
    QMimeData *createMimeDataFromSelection() const override;

signals:
    /// What would another value of a switch change?
    void switchAsked(const QString &name);
    /// The shortest history that shows where a server left the rules is to be played.
    void traceAsked(const QString &path);
    /// A lesson is to be opened.
    void lessonAsked(const QString &file);
    /// A refused operation is to be asked for again when the one in its way has ended.
    void againAsked(quint32 refused);
    void cancelAsked(quint32 operation);

private:
    struct Shown
    {
        enum class Kind { AResource, AnOperation, AState, ATransition, ASource };
        Kind kind = Kind::AResource;
        QString name;       ///< path of a resource, id of a state, key of a source
        quint32 number = 0; ///< serial of an operation, row of a transition
        int machine = 0;
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
    std::function<QList<LessonOnRule>(const QString &key)> m_lessons;
    Shown m_shown, m_before; ///< now, and before a source was shown
    Operation m_operation;   ///< the last one that was shown: time may go back to before it
    QString m_text;
    // What moved a resource last is looked for when it has moved, not each time that it is shown.
    QString m_whyPath;
    std::optional<Code> m_whyCode; ///< nothing: it was not there
    bool m_isWhyKnown = false;
    std::optional<Explanation> m_why;
};

} // namespace instar
