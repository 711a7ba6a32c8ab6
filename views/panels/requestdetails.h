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

/// Form for the rarer parts of a request: retries, preconditions, headers, body, references, and
/// values of open conditions.
class RequestDetails : public QWidget
{
    Q_OBJECT
public:
    explicit RequestDetails(const Controller &controller, QWidget *parent = nullptr);

    /// Offers the conditions that the controller's rules leave open now.
    void updateForRules();
    void write(Request &request) const;
    /// Sets the resource whose etag "current etag" sends, and shows the draft of `subject`: the
    /// resource's path, or the path of its collection if the resource is new.
    void setTarget(const QString &path, const QString &subject);
    /// Why the headers cannot be sent, as a sentence; empty: they can.
    QString problem() const;
    /// Number of fields that differ from their defaults.
    int count() const;

signals:
    void changed();

private:
    /// Input that is kept for each subject; see setTarget().
    struct Draft
    {
        QString body, references, ifMatch, ifNoneMatch;
        bool operator==(const Draft &) const = default;
    };
    Draft draft() const;
    QList<RequestHeader> headers() const;
    QString etagOf(const QComboBox *box) const;
    /// True if requests can carry a request id; a pack may define no HTTP header for the id.
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
};

} // namespace instar
