//! The limits of a plan.

use std::time::{Duration, SystemTime};

use super::table::{record, words};

words! {
    /// Whether a plan allows more.
    pub enum RateLimitStatus {
        /// It does.
        Allowed = "allowed",
        /// It does, for now.
        AllowedWarning = "allowed_warning",
        /// It does not.
        Rejected = "rejected",
    }
}

words! {
    /// Which limit it is.
    pub enum RateLimitType {
        /// That of five hours.
        FiveHour = "five_hour",
        /// That of seven days.
        SevenDay = "seven_day",
        /// That of seven days for Opus.
        SevenDayOpus = "seven_day_opus",
        /// That of seven days for Sonnet.
        SevenDaySonnet = "seven_day_sonnet",
        /// That of seven days, with what is paid on top.
        SevenDayOverageIncluded = "seven_day_overage_included",
        /// That of what is paid on top.
        Overage = "overage",
    }
}

words! {
    /// Why nothing can be had on top of the plan.
    pub enum OverageDisabledReason {
        /// It was never set up.
        OverageNotProvisioned = "overage_not_provisioned",
        /// The organisation forbids it.
        OrgLevelDisabled = "org_level_disabled",
        /// The organisation forbids it for a while.
        OrgLevelDisabledUntil = "org_level_disabled_until",
        /// There is no credit left.
        OutOfCredits = "out_of_credits",
        /// The kind of seat does not have it.
        SeatTierLevelDisabled = "seat_tier_level_disabled",
        /// This member may not.
        MemberLevelDisabled = "member_level_disabled",
        /// The kind of seat has a limit of 0.
        SeatTierZeroCreditLimit = "seat_tier_zero_credit_limit",
        /// The group has a limit of 0.
        GroupZeroCreditLimit = "group_zero_credit_limit",
        /// This member has a limit of 0.
        MemberZeroCreditLimit = "member_zero_credit_limit",
        /// The organisation forbids it for this service.
        OrgServiceLevelDisabled = "org_service_level_disabled",
        /// No limits are set.
        NoLimitsConfigured = "no_limits_configured",
        /// The CLI could not ask.
        FetchError = "fetch_error",
        /// Nobody knows.
        Unknown = "unknown",
    }
}

words! {
    /// Whose limit it is.
    pub enum LimitScope {
        /// The service's.
        Service = "service",
        /// The channel's.
        Channel = "channel",
        /// A group's.
        GroupPool = "group_pool",
    }
}

record! {
    /// `rate_limit_event`: how much of the plan is used. Only with a login of claude.ai.
    r#"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":1796078003,"rateLimitType":"five_hour","utilization":0.91},"session_id":"8f3a…","uuid":"…"}"#
    pub struct RateLimitEvent {
        /// How much.
        pub rate_limit_info: RateLimitInfo,
    }
    line
}

record! {
    /// [`RateLimitEvent::rate_limit_info`].
    r#"{"status":"rejected","resetsAt":1796078003,"rateLimitType":"seven_day","overageStatus":"rejected","overageDisabledReason":"out_of_credits"}"#
    pub struct RateLimitInfo {
        /// Whether the plan allows more.
        pub status: RateLimitStatus,
        /// When it starts anew, in seconds since 1970: [`resets_at`](Self::resets_at).
        pub resets_at_seconds: Option<u64> = "resetsAt",
        /// Which limit it is.
        pub rate_limit_type: Option<RateLimitType> = "rateLimitType",
        /// How much of it is used; 1 is all.
        pub utilization: Option<f64>,
        /// Whether more can be had on top.
        pub overage_status: Option<RateLimitStatus> = "overageStatus",
        /// When that starts anew, in seconds since 1970.
        pub overage_resets_at_seconds: Option<u64> = "overageResetsAt",
        /// Why nothing can be had on top.
        pub overage_disabled_reason: Option<OverageDisabledReason> = "overageDisabledReason",
        /// What is used now is on top of the plan.
        pub is_using_overage: Option<bool> = "isUsingOverage",
        /// Something is used on top of the plan.
        pub overage_in_use: Option<bool> = "overageInUse",
        /// More can be had on top.
        pub overage_enabled: Option<bool> = "overageEnabled",
        /// How much of it had to be used for this to be said; 1 is all.
        pub surpassed_threshold: Option<f64> = "surpassedThreshold",
        /// Whose limit it is.
        pub limit_scope: Option<LimitScope> = "limitScope",
        /// `credits_required`; the set is open.
        pub error_code: Option<String> = "errorCode",
        /// The person may buy more.
        pub can_user_purchase_credits: Option<bool> = "canUserPurchaseCredits",
        /// The person has a way to pay.
        pub has_chargeable_saved_payment_method: Option<bool> = "hasChargeableSavedPaymentMethod",
    }
}

impl RateLimitInfo {
    /// Returns when the limit starts anew.
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    ///
    /// let json = r#"{"status":"rejected","resetsAt":60}"#;
    /// let info: byre::event::RateLimitInfo = serde_json::from_str(json)?;
    /// assert_eq!(info.resets_at(), Some(SystemTime::UNIX_EPOCH + Duration::from_secs(60)));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn resets_at(&self) -> Option<SystemTime> {
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(self.resets_at_seconds?))
    }
}
