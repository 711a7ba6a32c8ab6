// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"
#include "views/drawing/theme.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QFrame;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace instar {

class OutcomeBox;
class RequestDetails;
class TargetPicker;
struct Verdict;

/// Describes a request, says what the controller would answer, and fires it, or arms it to be fired
/// with others.
class FireBar : public QWidget
{
    Q_OBJECT
public:
    explicit FireBar(Controller &controller, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Gives it a place before the verdict, below the request.
    void setClock(QWidget *clock);
    /// As described; its operation can be another one.
    Request request(const QString &operation = {}) const;
    QString operation() const;
    void setOperation(const QString &operation);
    /// Describes the first operation that would not be refused now, if the one described would be.
    void preselect();
    /// While a new resource is being described it becomes the parent.
    void setTarget(const QString &path);
    /// As setTarget; a new resource is not described any more.
    void showTarget(const QString &path);
    void describeNew(const QString &parentPath);
    bool asks() const; ///< the work will wait for somebody to end it
    void setAsks(bool asks);
    /// Whether outcome and duration can be chosen; a real server decides by itself.
    void setPlansWork(bool plans);
    /// Is asked before each firing; false: not now.
    using Guard = std::function<bool(const Request &)>;
    void setGuard(Guard guard) { m_guard = std::move(guard); }
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
    void pathEdited(const QString &path);
    void requestChanged();
    void sourceAsked(const QString &key); ///< where the rule is written

private:
    QWidget *buildVerdict();
    void sayVerdict(const QString &text);
    void refresh();
    void takeRules(); ///< others are in force, perhaps
    QString blockedBy(const Request &request) const;
    void showUsualDuration();
    /// What body and preconditions are meant for: a resource, or a new one of a type below a
    /// parent.
    QString subject() const;
    void problem(const QString &sentence);
    void say(const Verdict &says);

    Controller &m_controller;
    Theme m_theme = Theme::light();
    QComboBox *m_operation;
    Pack m_pack; ///< what is offered goes by it
    TargetPicker *m_target;
    QComboBox *m_client;
    OutcomeBox *m_outcome;
    QSpinBox *m_duration;
    QList<QWidget *> m_plan; ///< what outcome and duration are chosen with
    bool m_plansWork = true;
    Guard m_guard;
    Blocker m_blocker;
    QString m_blocked; ///< why what is described cannot be fired; empty: it can
    QToolButton *m_more;
    QPushButton *m_arm, *m_fire;
    RequestDetails *m_details;
    QHBoxLayout *m_below; ///< what is below the request
    QFrame *m_verdict;
    QLabel *m_verdictIcon, *m_verdictText, *m_verdictDetail, *m_verdictRule, *m_verdictSources;
    QStringList m_sources;   ///< keys
    int m_usualDuration = 0; ///< ms, of the operation that is shown
};

} // namespace instar
