// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/notice.h"

#include <QDialog>
#include <QHash>

#include <memory>

class QPushButton;

namespace instar {

namespace Ui {
class ConnectDialog;
}

/// With what a client shows who it is.
enum class CredentialsKind {
    None,
    Bearer,
    Basic,
    ClientCertificate,
    ApiKey,
    TokenCommand, ///< that prints a bearer token
};

/// Which server is driven, and how.
struct ConnectChoice
{
    QString url;
    QString pack; ///< id of the system that the server speaks
    CredentialsKind credentials = CredentialsKind::None;
    QString user;   ///< Basic: the name; ApiKey: of the header;
                    ///< TokenCommand: that
    QString secret; ///< the token, password or key, or the pass phrase of the certificate's key,
                    ///< where it has one
    QString certificate, key; ///< ClientCertificate: PEM files
    bool readOnly = true;     ///< nothing is changed until that is switched off
    bool operator==(const ConnectChoice &) const = default;
};

/// The same without its secret: what may be remembered.
ConnectChoice withoutSecret(ConnectChoice choice);
/// Choices with a newer one in front, without secrets; an older one of the same URL and system
/// goes, and so do those beyond `most`.
QList<ConnectChoice> remembered(
    const QList<ConnectChoice> &choices, const ConnectChoice &newest, int most = 10);

/// What is meant by an address without a scheme, such as "host:8080/base": http on this computer,
/// https elsewhere. Others, and an empty one, stay as they are.
QString completedUrl(const QString &address);
/// Why a text is not the URL of a server, as a sentence; empty: it is one.
QString serverUrlProblem(const QString &url);
/// Whether a host's name or address can only be this computer.
bool isLoopback(const QString &host);

/// Asks which server is to be driven, by which system's rules, and with which credentials.
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
    /// What is to be remembered: without those that were taken out, with the accepted one in front;
    /// no secrets.
    QList<ConnectChoice> recent() const;
    /// Why it cannot be connected to, as a sentence; empty: it can be tried.
    QString problem() const { return finding().text; }

    void accept() override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void showWhatIsTyped();
    CredentialsKind kind() const;
    /// What is missing (a hint) or wrong.
    struct Finding
    {
        Notice::Tone tone = Notice::Tone::Good;
        QString text;
    };
    Finding finding() const;
    QString hint() const;
    void changeKind();
    void showFields();
    void fitHeight();
    void forgetCurrent();
    void fillRecent();
    void refresh();

    Options m_options;
    std::unique_ptr<Ui::ConnectDialog> m_ui;
    QPushButton *m_accept;
    /// How a kind calls a field; other kinds do not show it.
    struct Field
    {
        QWidget *widget;
        CredentialsKind kind;
        QString label;
    };
    QList<Field> m_fields; ///< in the order of the form
    CredentialsKind m_shown = CredentialsKind::None;
    QHash<CredentialsKind, QStringList> m_typed; ///< in the fields that several kinds have
};

} // namespace instar
