//! A proposal is placed with another precision, while the person looks at it.

use super::scheduler::Scheduler;

impl Scheduler {
    /// Places a proposal with another precision, in hundredths. One that would leave nothing of it to decide is not taken: an
    /// agent is answered by decisions, and not by a key that looks for places.
    pub(super) fn match_by(&mut self, ticket: u64, percent: u8) {
        let Some(request) = self.requests.get_mut(&ticket) else {
            return;
        };
        let before = request.source.precision();
        request.source.set_precision(percent);
        let shown = |percent: u8| format!("{:.2}", f64::from(percent) / 100.0);
        match request.source.place() {
            Ok(session) if !request.is_hopeless(&session) => {
                request.decided = None;
                let without = session.unplaced();
                self.add_to_review(ticket, session, &|agent, _| {
                    let now = shown(percent);
                    Some(format!(
                        "{agent}: match threshold is {now}: {without} without a place"
                    ))
                });
            }
            Ok(_) | Err(_) => {
                let before = before.unwrap_or_default();
                request.source.set_precision(before);
                self.place(ticket, &|agent, _| {
                    let (no, is) = (shown(percent), shown(before));
                    Some(format!(
                        "{agent}: at match threshold {no} nothing could be decided; it is {is}"
                    ))
                });
            }
        }
    }
}
