// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/rules.h"

#include <QComboBox>

namespace instar {

/// How the work of a request ends, decided beforehand, or by somebody who will be asked.
class OutcomeBox : public QComboBox
{
    Q_OBJECT
public:
    explicit OutcomeBox(const Rules &rules, QWidget *parent = nullptr);

    /// Offers what other rules have; what is chosen stays chosen where they have it, too.
    void setRules(const Rules &rules);
    QString outcome() const; ///< as Request::outcome
    void setOutcome(const QString &outcome);
    bool asks() const; ///< the work will wait for somebody to end it
    void setAsks(bool asks);
};

} // namespace instar
