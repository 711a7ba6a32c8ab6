// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/servechoice.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace instar {

class FileField;
class Notice;

/// Asks where and how this world is served to other clients.
class ServeDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ServeDialog(const ServeChoice &usual = {}, QWidget *parent = nullptr);

    ServeChoice choice() const;
    /// Why it cannot be served so, as a sentence; empty: it can be tried.
    QString problem() const;

    void accept() override;

private:
    bool isForOthers() const;
    bool generatesToken() const;
    bool isSecure() const;
    void refresh();

    QFormLayout *m_form;
    QSpinBox *m_port;
    QComboBox *m_address;
    QLineEdit *m_hosts;
    QComboBox *m_tokenFrom;
    QLineEdit *m_token;
    QToolButton *m_copy;
    QWidget *m_tokenRow;
    FileField *m_tokenFile;
    QComboBox *m_transport;
    FileField *m_certificate, *m_key;
    QComboBox *m_speed;
    QSpinBox *m_retryAfter;
    Notice *m_notice;
    QPushButton *m_accept;
};

} // namespace instar
