// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/round.h"

#include <QDialog>

#include <memory>

namespace instar {

namespace Ui {
class RoundsDialog;
}

/// Dialog that fires the burst at a server in rounds. The user sets the numbers of rounds and of
/// clients and the most random delay; the dialog lists the outcomes of the rounds and violations.
class RoundsDialog : public QDialog
{
    Q_OBJECT
public:
    explicit RoundsDialog(QWidget *parent = nullptr);
    ~RoundsDialog() override;

    /// Sets the requests of the next start.
    void setRequests(const QList<Request> &requests);
    /// Settings that the user chose, with the requests.
    RoundsPlan plan() const;
    /// Switches between input and running rounds.
    void setGoingOn(bool goesOn);
    bool isGoingOn() const { return m_goesOn; }
    void add(const Round &round);
    /// Shows an error in place of the summary.
    void say(const QString &sentence);
    /// Selected group of rounds with equal outcome; null: none.
    const RoundGroup *selected() const;
    void done(int result) override;

signals:
    void startAsked(const instar::RoundsPlan &plan);
    void stopAsked();
    void saveAsked(const instar::Round &round);

private:
    void refresh();
    void showSelected();
    void stop();
    QString summary() const;

    QList<Request> m_requests;
    std::unique_ptr<Ui::RoundsDialog> m_ui;
    bool m_goesOn = false, m_isStopping = false;
    int m_ended = 0, m_total = 0; ///< numbers of rounds
    RoundsTally m_tally;
    QList<RoundGroup> m_rows;
};

} // namespace instar
