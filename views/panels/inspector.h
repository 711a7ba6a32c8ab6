// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/explanation.h"
#include "model/items/liveconformance.h"
#include "views/drawing/theme.h"
#include "views/htmlview.h"
#include "views/panels/inspectortext.h"
#include "views/selection.h"

#include <QPointer>

#include <functional>
#include <variant>

namespace instar {

/// Everything that is known of what is selected; text to be selected and copied, with links to what
/// it speaks of.
class Inspector : public HtmlView
{
    Q_OBJECT
public:
    /// Tells of what was chosen last.
    Inspector(const Controller &controller, Selection &selection, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
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
    QString told();
    QString lastAnswer();
    void refresh();

    const Controller &m_controller;
    QPointer<const LiveConformance> m_conformance;
    std::function<QList<LessonOnRule>(const QString &key)> m_lessons;
    Theme m_theme = Theme::light();
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
