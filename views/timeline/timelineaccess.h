// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace instar {

class TimelineView;

// A graphics view shows nothing to a screen reader. These make the resources in sight and the
// operations accessible children, with names, states and bounds.

void installTimelineAccess();
/// The keyboard stands on another resource or operation.
void timelineFocusMoved(TimelineView *view);

} // namespace instar
