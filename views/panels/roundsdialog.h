// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/conformance/round.h"

#include <QDialog>

#include <memory>

namespace instar {

namespace Ui {
class RoundsDialog;
}

/// Fires what is armed at a server again and again: how often, by how many clients, how far apart;
/// how the rounds ended, and those in which the server left the rules.
class RoundsDialog : public QDialog
{
    Q_OBJECT
public:
    explicit RoundsDialog(QWidget *parent = nullptr);
    ~RoundsDialog() override;

    /// What is fired from the next start on.
    void setRequests(const QList<Request> &requests);
    /// As it was chosen; with the requests.
    RoundsPlan plan() const;
    /// Rounds begin, or have ended.
    void setGoingOn(bool goesOn);
    bool isGoingOn() const { return m_goesOn; }
    void add(const Round &round);
    /// Why nothing is fired, in place of what the rounds came to.
    void say(const QString &sentence);
    /// The rounds that went like the one that is selected; null: none is.
    const RoundsAlike *selected() const;
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
    int m_ended = 0, m_of = 0; ///< rounds
    RoundsTally m_tally;
    QList<RoundsAlike> m_rows;
};

} // namespace instar
