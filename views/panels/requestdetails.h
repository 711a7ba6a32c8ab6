// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/controller.h"

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
    /// The etag that "current etag" stands for.
    void setTarget(const QString &path);
    /// How many things differ from their defaults.
    int count() const;
    /// An operation's id can be used once.
    void clearId();

signals:
    void changed();

private:
    QString etagOf(const QComboBox *box) const;

    const Controller &m_controller;
    QString m_target;
    QSpinBox *m_transient;
    QLineEdit *m_id, *m_requestId;
    QComboBox *m_ifMatch, *m_ifNoneMatch;
    QLineEdit *m_references;
    HeadersEdit *m_headers;
    BodyEdit *m_body;
    QList<QCheckBox *> m_conditions;
};

} // namespace instar
