// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/connectchoice.h"
#include "views/panels/notice.h"

#include <QDialog>
#include <QHash>

#include <memory>

class QPushButton;

namespace instar {

namespace Ui {
class ConnectDialog;
}

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
