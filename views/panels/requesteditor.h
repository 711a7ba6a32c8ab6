// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace instar {

class BodyEdit;
class HeadersEdit;
class Notice;
class OutcomeBox;

/// A request to be changed before it is fired: who asks for what on which resource, and every word
/// that goes with it.
class RequestEditor : public QDialog
{
    Q_OBJECT
public:
    /// Whether outcome and duration can be chosen, as in FireBar::setPlansWork().
    enum class Plans { Work, Nothing };

    RequestEditor(const Controller &controller, const Request &request, Plans plans,
        QWidget *parent = nullptr);

    /// As edited; what cannot be edited here is as it was given.
    Request request() const;
    /// Why it cannot be fired, as a sentence; empty: it can.
    QString problem() const;

    void accept() override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();

    Request m_given;
    Plans m_plans;
    QComboBox *m_operation, *m_client;
    QLineEdit *m_target;
    OutcomeBox *m_outcome;
    QSpinBox *m_duration;
    QLineEdit *m_ifMatch, *m_ifNoneMatch, *m_requestId;
    HeadersEdit *m_headers;
    BodyEdit *m_body;
    Notice *m_notice;
    QPushButton *m_accept;
};

} // namespace instar
