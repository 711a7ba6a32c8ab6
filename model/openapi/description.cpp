// SPDX-License-Identifier: Apache-2.0
#include "model/openapi/description.h"

#include <algorithm>

namespace instar {

const ApiProperty *ApiShape::find(const QStringList &place) const
{
    const auto found = std::ranges::find(properties, place, &ApiProperty::place);
    return found == properties.end() ? nullptr : &*found;
}

const ApiAnswer *ApiOperation::answer(int code) const
{
    const auto found = std::ranges::find(answers, code, &ApiAnswer::code);
    return found == answers.end() ? nullptr : &*found;
}

const ApiAnswer *ApiOperation::success() const
{
    const ApiAnswer *first = nullptr;
    for (const ApiAnswer &one : answers) {
        if (one.code < 200 || one.code > 299)
            continue;
        if (one.shape >= 0)
            return &one;
        if (!first)
            first = &one;
    }
    return first;
}

const ApiShape *ApiDescription::shape(const ApiAnswer *answer) const
{
    return answer && answer->shape >= 0 ? &shapes[answer->shape] : nullptr;
}

const ApiShape *ApiDescription::bodyShape(const ApiOperation &operation) const
{
    return operation.bodyShape >= 0 ? &shapes[operation.bodyShape] : nullptr;
}

} // namespace instar
