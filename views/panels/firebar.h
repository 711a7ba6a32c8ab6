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

/// Returns the expected answer to a request for a path: "accepted. Moves Rack-1 to Updating."
/// `others`: number of other resources that it moves or removes; `names`: their names, if few.
QString expectedAnswer(const Controller &controller, const Admission &admission,
    const QString &path, qint64 others = 0, const QStringList &names = {});

/// Composer of a request: a row of inputs, and a line that shows the expected answer. The selected
/// resource is the target, or the parent of a new resource.
class FireBar : public QWidget
{
    Q_OBJECT
public:
    FireBar(Controller &controller, Selection &selection, QWidget *parent = nullptr);

    /// Line that shows the expected answer; a window can place it outside the bar.
    QWidget *preview() const { return m_preview; }
    /// Returns the request that the inputs describe; `operation`, unless empty, replaces its own.
    Request request(const QString &operation = {}) const;
    QString operation() const;
    /// Selects an operation; offers it even if the target's type does not accept it.
    void setOperation(const QString &operation);
    /// Selects the first operation that is not refused now, if the selected one would be.
    void preselect();
    /// Makes an existing resource the target; ends the description of a new one.
    void showTarget(const QString &path);
    /// Makes a new resource below a parent the target.
    void describeNew(const QString &parentPath);
    /// Sets client, operation and path from a request; the other inputs stay.
    void describe(const Request &request);
    /// True if the outcome is "ask me": the work runs until the user ends it.
    bool waitsForUser() const;
    /// Called before each firing; false prevents it.
    using Guard = std::function<bool(const Request &)>;
    void setGuard(Guard guard) { m_guard = std::move(guard); }
    /// Called before each firing with the request; returns the one to submit instead.
    using Completion = std::function<Request(const Request &)>;
    void setCompletion(Completion completion) { m_completion = std::move(completion); }
    /// Returns why a request cannot be fired now, as a sentence without full stop; empty: it can.
    /// A blocked request can still be added to the burst.
    using WhyBlocked = std::function<QString(const Request &)>;
    void setWhyBlocked(WhyBlocked whyBlocked);
    /// Refreshes the bar if the answer of setWhyBlocked() has changed.
    void refreshBlocked();
    /// Sentence that the preview shows: the expected answer, and why.
    QString verdictText() const;
    void fire();
    /// Emits addedToBurst() with the request.
    void addToBurst();

signals:
    void addedToBurst(const instar::Request &request);
    void fired(quint32 serial, const QString &path);
    void requestChanged();
    void sourceAsked(const QString &key); ///< of the rule that decides

private:
    void buildPreview();
    void buildOptions();
    void showOptions();
    void refresh();
    void updateForRules(); ///< updates the choices if the rules changed
    /// Offers the operations that the target's type accepts; all if the type is unknown.
    void offerOperations();
    void offerOutcomes();
    /// Greys the operations that would be refused now, with the reason as tooltip.
    void greyRefused();
    QString blockedBy(const Request &request) const;
    void showUsualDuration();
    void showProblem(const QString &sentence); ///< and disables firing
    void showVerdict(const Verdict &shown);

    Controller &m_controller;
    QComboBox *m_operation;
    Pack m_pack;                 ///< pack whose operations and outcomes are offered
    int m_machine = Rules::None; ///< machine of the target, which decides what is offered
    TargetPicker *m_target;
    QComboBox *m_client;
    QComboBox *m_outcome; ///< data: as Request::outcome; "?": the user ends the work
    QSpinBox *m_duration;
    bool m_isChosen = false; ///< the operation was set; else each target gets one that fits
    std::optional<Request> m_accepted; ///< request that was fired last and not refused
    Guard m_guard;
    Completion m_completion;
    WhyBlocked m_whyBlocked;
    QString m_blocked; ///< why the request cannot be fired; empty: it can
    QToolButton *m_optionsButton;
    QPushButton *m_addToBurst, *m_fire;
    RequestDetails *m_details;
    QFrame *m_options; ///< popup
    QWidget *m_preview;
    QLabel *m_prefix;
    ElidedLabel *m_text;
    HtmlLabel *m_chips;
    QStringList m_sources;   ///< keys of the sources of the rule that decides
    int m_usualDuration = 0; ///< ms, of the selected operation
};

} // namespace instar
