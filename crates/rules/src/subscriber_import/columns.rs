//! Assigns columns of lists of subscribers to fields by their headers.

use serde::{Deserialize, Serialize};

use crate::import::headers::{assigned, fields};

fields! {
    /// A field that a column of a list of subscribers can hold.
    SubscriberField:
    /// Email address.
    Email = "email",
        ["emailaddress", "email", "subscriberemail", "contactemail", "primaryemail", "mailaddress", "mail", "address", "subscriber",
            "emailadresse", "mailadresse", "adresseemail", "adressemail", "courriel", "direccionemail", "correoelectronico", "correo"];
    /// Status at the other program.
    Status = "status",
        ["subscriptionstatus", "status", "subscriberstatus", "memberstatus", "emailmarketingstatus", "marketingstatus", "issubscribed", "subscribed", "isactive",
            "active", "abonniert"];
    /// Why it is inactive, as exported here.
    InactiveReason = "inactive_reason", [];
    /// When the person confirmed.
    ConfirmedAt = "confirmed_at",
        ["confirmtime", "confirmedat", "confirmationtime", "confirmedon", "dateconfirmed", "confirmationdate", "confirmed", "optinconfirmedat",
            "doubleoptintime", "doubleoptin", "bestatigtam", "bestatigt", "confirmele", "confirmadoel"];
    /// When the person joined.
    SubscribedAt = "subscribed_at",
        ["optintime", "subscribedat", "subscribedon", "datesubscribed", "subscribeddate", "subscriptiondate", "subscribedate", "optindate",
            "signupdate", "signuptime", "signedupat", "joined", "joinedat", "datejoined", "dateadded", "added", "addedat", "createdat", "created",
            "angemeldetam", "angemeldet", "inscritle", "fechadealta"];
    /// When the person left.
    LeftAt = "left_at",
        ["unsubtime", "unsubscribedat", "unsubscribedon", "dateunsubscribed", "unsubscribeddate", "unsubscribedate", "unsubscribetime",
            "unsubscribed", "optouttime", "optoutdate", "optedout", "abgemeldetam", "abgemeldet"];
    /// When letters came back for good.
    CleanedAt = "cleaned_at", ["cleantime", "cleanedat", "bouncedat", "datebounced", "hardbounced", "bounced"];
    /// Id at the other program.
    Member = "member", ["leid", "euid", "memberid", "subscriberid", "contactid"];
}

/// The field of each column; `None` for ignored columns. Each field is assigned once, to the best match.
///
/// ```
/// use rules::subscriber_import::{SubscriberField, columns};
/// assert_eq!(columns(&["Email Address", "First Name", "CONFIRM_TIME"]),
///     [Some(SubscriberField::Email), None, Some(SubscriberField::ConfirmedAt)]);
/// ```
pub fn columns<T: AsRef<str>>(headers: &[T]) -> Vec<Option<SubscriberField>> {
    assigned(headers)
}
