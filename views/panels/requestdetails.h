// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

#include <QHash>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace instar {

class BodyEdit;
class HeadersEdit;

/// What is seldom said of a request: retries, preconditions, headers, body, references, answers to
/// open conditions.
class RequestDetails : public QWidget
{
    Q_OBJECT
public:
    explicit RequestDetails(const Controller &controller, QWidget *parent = nullptr);

    void write(Request &request) const;
    /// The resource whose etag "current etag" stands for, and what body, references and etags are
    /// meant for: those of another subject are put away until it comes back.
    void setTarget(const QString &path, const QString &subject);
    /// How many things differ from their defaults.
    int count() const;
    /// An operation's id can be used once.
    void clearId();

signals:
    void changed();

private:
    /// What belongs to one subject only.
    struct Draft
    {
        QByteArray body;
        QString references, ifMatch, ifNoneMatch;
        bool operator==(const Draft &) const = default;
    };
    Draft draft() const;
    void setDraft(const Draft &draft);
    QString etagOf(const QComboBox *box) const;

    const Controller &m_controller;
    QString m_target, m_subject;
    QHash<QString, Draft> m_drafts; ///< of other subjects
    Draft m_empty;
    QSpinBox *m_transient;
    QLineEdit *m_id, *m_requestId;
    QComboBox *m_ifMatch, *m_ifNoneMatch;
    QLineEdit *m_references;
    HeadersEdit *m_headers;
    BodyEdit *m_body;
    QList<QCheckBox *> m_conditions;
};

} // namespace instar
