// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

#include <QDialog>

#include <memory>

class QPushButton;

namespace instar {

namespace Ui {
class RequestEditor;
}

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
    ~RequestEditor() override;

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
    std::unique_ptr<Ui::RequestEditor> m_ui;
    QPushButton *m_accept;
};

} // namespace instar
