// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/exchange.h"
#include "views/panels/notice.h"

#include <QDialog>

#include <memory>

class QPushButton;

namespace instar {

namespace Ui {
class ConnectDialog;
}

/// Settings of a connection to a server.
struct ConnectChoice
{
    QString url;
    QString pack; ///< id of the pack that the server implements
    CredentialKind credentials = CredentialKind::None;
    QString user;         ///< Basic: user name; ApiKey: name of the header; Command: the command
    QString secret;       ///< token, password or key
    bool readOnly = true; ///< sends no request that changes the server
    bool operator==(const ConnectChoice &) const = default;
};

/// Puts the newest choice in front without its secret, removes an older choice of the same URL and
/// system, and keeps at most `most`.
QList<ConnectChoice> remembered(
    const QList<ConnectChoice> &choices, const ConnectChoice &newest, int most = 10);

/// Adds the scheme to an address without one, such as "host:8080/base": http for this computer,
/// https for others. Returns other texts unchanged.
QString completedUrl(const QString &address);
/// Why a text is not the URL of a server, as a sentence; empty: it is valid.
QString serverUrlProblem(const QString &url);
/// True if a host name or address always means this computer.
bool isLoopback(const QString &host);

/// Dialog for a server's URL, its system and the credentials.
class ConnectDialog : public QDialog
{
    Q_OBJECT
public:
    struct Options
    {
        QList<QPair<QString, QString>> systems; ///< pack id and title
        QList<ConnectChoice> recent;            ///< newest first
    };

    explicit ConnectDialog(const Options &options, QWidget *parent = nullptr);
    ~ConnectDialog() override;

    ConnectChoice choice() const;
    void setChoice(const ConnectChoice &choice);
    /// Recent choices to store: the accepted one in front, no secrets.
    QList<ConnectChoice> recent() const;
    /// Why the input cannot be accepted, as a sentence; empty: it can.
    QString problem() const { return firstProblem().text; }

    void accept() override;

private:
    CredentialKind kind() const;
    /// Diagnostic of the input: missing (a hint) or wrong.
    struct Problem
    {
        Notice::Tone tone = Notice::Tone::Good;
        QString text;
    };
    Problem firstProblem() const;
    void refresh();

    const Options m_options;
    std::unique_ptr<Ui::ConnectDialog> m_ui;
    QPushButton *m_accept;
};

} // namespace instar
