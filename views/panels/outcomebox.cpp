// SPDX-License-Identifier: Apache-2.0
#include "views/panels/outcomebox.h"

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString Asks = u"?"_s; ///< the item's data where the user will be asked

} // namespace

OutcomeBox::OutcomeBox(const Rules &rules, QWidget *parent) : QComboBox(parent)
{
    setToolTip(tr("How the work ends"));
    setAccessibleName(tr("Outcome"));
    setRules(rules);
}

void OutcomeBox::setRules(const Rules &rules)
{
    const QVariant chosen = currentData();
    clear();
    const auto add = [&](Rules::TriggerId trigger) {
        const QString &id = rules.triggerName(trigger);
        addItem(id, id);
        setItemData(count() - 1, id, Qt::ToolTipRole);
    };
    addItem(rules.triggerName(rules.succeeded), QString());
    add(rules.failed);
    for (const Outcome &row : rules.pack().outcomes) {
        const Rules::TriggerId trigger = rules.trigger(row.id);
        const QList<Rules::TriggerId> known { Rules::None, rules.succeeded, rules.failed,
            rules.canceled, rules.rejected, rules.invalid, rules.retried };
        if (!known.contains(trigger) && rules.applies(row))
            add(trigger);
    }
    addItem(tr("ask me"), Asks);
    setItemData(count() - 1,
        tr("Runs until you click an outcome on the chart, or in the queue's menu"),
        Qt::ToolTipRole);
    setCurrentIndex(std::max(findData(chosen), 0));
}

QString OutcomeBox::outcome() const
{
    return asks() ? QString() : currentData().toString();
}

void OutcomeBox::setOutcome(const QString &outcome)
{
    setCurrentIndex(std::max(findData(outcome), 0));
}

bool OutcomeBox::asks() const
{
    return currentData().toString() == Asks;
}

void OutcomeBox::setAsks(bool asks)
{
    setCurrentIndex(asks ? count() - 1 : 0);
}

} // namespace instar
