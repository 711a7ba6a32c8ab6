// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

#include <QHash>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace instar {

/// What is seldom said of a request: retries, preconditions, headers, body, references, answers to
/// open conditions.
class RequestDetails : public QWidget
{
    Q_OBJECT
public:
    explicit RequestDetails(const Controller &controller, QWidget *parent = nullptr);

    /// Whether the course of the work can be chosen, as in FireBar::setOffersPlan(): what a real
    /// server would not hear of is not offered then.
    void setOffersPlan(bool offered);
    /// Offers the conditions that the controller's rules leave open now.
    void updateForRules();
    void write(Request &request) const;
    /// The resource whose etag "current etag" stands for, and what body, references and etags are
    /// meant for: those of another subject are put away until it comes back.
    void setTarget(const QString &path, const QString &subject);
    /// Why the headers cannot be sent, as a sentence; empty: they can.
    QString problem() const;
    /// How many things differ from their defaults.
    int count() const;

signals:
    void changed();

private:
    /// What belongs to one subject only.
    struct Draft
    {
        QString body, references, ifMatch, ifNoneMatch;
        bool operator==(const Draft &) const = default;
    };
    Draft draft() const;
    void setDraft(const Draft &draft);
    QList<RequestHeader> headers() const;
    QString etagOf(const QComboBox *box) const;
    /// Whether a request's id reaches the controller.
    bool takesRequestIds() const;

    const Controller &m_controller;
    QString m_target, m_subject;
    QHash<QString, Draft> m_drafts; ///< of other subjects
    Draft m_empty;
    QSpinBox *m_transient;
    QLineEdit *m_requestId;
    QComboBox *m_ifMatch, *m_ifNoneMatch;
    QLineEdit *m_references;
    QPlainTextEdit *m_headers, *m_body;
    QWidget *m_labels; ///< around the boxes of the conditions
    QList<QCheckBox *> m_conditions;
    QList<QWidget *> m_plan;           ///< what the course of the work is chosen with
    QList<QWidget *> m_requestIdParts; ///< what a request's id is typed with
    QLabel *m_decides;                 ///< why that is not there
    bool m_offersPlan = true;
};

} // namespace instar
