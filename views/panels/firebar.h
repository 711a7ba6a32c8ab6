// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "views/selection.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QFrame;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace instar {

class ElidedLabel;
class HtmlLabel;
class RequestDetails;
class TargetPicker;
struct Verdict;

/// Composer of a request: a row that describes it, and a line of fixed height that says what firing
/// it would do now. The target is the selected resource; while a new one is described, its parent.
class FireBar : public QWidget
{
    Q_OBJECT
public:
    FireBar(Controller &controller, Selection &selection, QWidget *parent = nullptr);

    /// Line that says what firing would do now; a window can put it elsewhere.
    QWidget *preview() const;
    /// As described; its operation can be another one.
    Request request(const QString &operation = {}) const;
    QString operation() const;
    /// One that the target's type does not accept is offered only when it is asked for by name.
    void setOperation(const QString &operation);
    /// Describes the first operation that would not be refused now, if the one described would be.
    void preselect();
    /// Describes what is asked of a resource that is there, not of a new one below it.
    void showTarget(const QString &path);
    void describeNew(const QString &parentPath);
    /// Who asks for what on which resource; the rest stays as it is.
    void describe(const Request &request);
    bool asks() const; ///< the work will wait for somebody to end it
    /// Whether outcome and duration can be chosen; a real server decides by itself.
    void setPlansWork(bool plans);
    /// Is asked before each firing; false: not now.
    using Guard = std::function<bool(const Request &)>;
    void setGuard(Guard guard) { m_guard = std::move(guard); }
    /// Is given what is about to be fired, and says what is asked for instead.
    using Completion = std::function<Request(const Request &)>;
    void setCompletion(Completion completion) { m_completion = std::move(completion); }
    /// Tells why a request cannot be fired as things stand, as the words after the operation;
    /// empty: it can. Arming still can.
    using Blocker = std::function<QString(const Request &)>;
    void setBlocker(Blocker blocker);
    /// The blocker may have changed its mind.
    void askBlocker();
    /// The sentence that is shown: what would be answered, and why.
    QString verdictText() const;
    void fire();
    /// Hands the request over to be fired later.
    void arm();

signals:
    void armed(const instar::Request &request);
    void fired(quint32 serial, const QString &path);
    void requestChanged();
    void sourceAsked(const QString &key); ///< where the rule is written

private:
    void buildPreview();
    void buildOptions();
    void showOptions();
    void refresh();
    void takeRules(); ///< others are in force, perhaps
    /// Those that the target's type accepts; all where it is unknown.
    void offerOperations();
    void offerOutcomes();
    /// Greys those that would be refused now, and says why.
    void judgeOperations();
    QString blockedBy(const Request &request) const;
    void showUsualDuration();
    /// What body and preconditions are meant for: a resource, or a new one of a type below a
    /// parent.
    QString subject() const;
    void problem(const QString &sentence);
    QString optionsText() const;
    void say(const Verdict &says);

    Controller &m_controller;
    QComboBox *m_operation;
    Pack m_pack;                 ///< what is offered goes by it
    int m_machine = Rules::None; ///< the operations are offered in its order
    TargetPicker *m_target;
    QComboBox *m_client;
    QComboBox *m_outcome; ///< data: as Request::outcome; "?": somebody will be asked
    QSpinBox *m_duration;
    QList<QWidget *> m_plan; ///< what outcome and duration are chosen with
    bool m_plansWork = true;
    Guard m_guard;
    Completion m_completion;
    Blocker m_blocker;
    QString m_blocked; ///< why what is described cannot be fired; empty: it can
    QToolButton *m_more;
    QPushButton *m_arm, *m_fire;
    RequestDetails *m_details;
    QFrame *m_options = nullptr; ///< popup
    QFrame *m_preview;
    QLabel *m_prefix;
    ElidedLabel *m_text;
    HtmlLabel *m_chips;
    QStringList m_sources;   ///< keys
    int m_usualDuration = 0; ///< ms, of the operation that is shown
};

} // namespace instar
