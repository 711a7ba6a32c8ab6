// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/notice.h"

#include <functional>

namespace instar {

/// A sentence over what somebody works at, and what can be done about it: nothing is in the way
/// meanwhile. Hidden as long as there is nothing to say.
class NoticeBar : public Notice
{
    Q_OBJECT
public:
    struct Answer
    {
        QString text, tip;
        std::function<void()> act; ///< the bar is hidden before
    };

    explicit NoticeBar(QWidget *parent = nullptr);

    void ask(Tone tone, const QString &sentence, const QList<Answer> &answers);
    /// There is nothing to say any more.
    void settle();
    bool isAsking() const { return !text().isEmpty(); }
};

} // namespace instar
