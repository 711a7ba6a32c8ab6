// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/connectchoice.h"
#include "views/panels/notice.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace instar {

class FileField;

/// Asks which server is to be driven, by which system's rules, and with which credentials.
class ConnectDialog : public QDialog
{
    Q_OBJECT
public:
    struct Options
    {
        QList<QPair<QString, QString>> systems; ///< pack id and title
        QList<ConnectChoice> recent;            ///< newest first
        QString keychainProblem; ///< why secrets cannot be kept, as a sentence; empty: they can
    };

    explicit ConnectDialog(const Options &options, QWidget *parent = nullptr);

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
    QWidget *buildRecent();
    QLineEdit *secret(const QString &name);
    CredentialsKind kind() const;
    /// What is missing (a hint) or wrong.
    struct Finding
    {
        Notice::Tone tone = Notice::Tone::Good;
        QString text;
    };
    Finding finding() const;
    QString hint() const;
    void fitHeight();
    void forgetCurrent();
    void fillRecent();
    void refresh();

    Options m_options;
    QListWidget *m_recent;
    QFormLayout *m_form;
    QWidget *m_recentBox;
    QLineEdit *m_url;
    QComboBox *m_system, *m_kind;
    QLineEdit *m_token, *m_user, *m_password;
    FileField *m_certificate, *m_key;
    QLineEdit *m_passPhrase;
    QCheckBox *m_keeps, *m_readOnly;
    Notice *m_notice;
    QPushButton *m_accept;
    QList<std::pair<QWidget *, CredentialsKind>> m_fields; ///< shown for one kind only
};

} // namespace instar
