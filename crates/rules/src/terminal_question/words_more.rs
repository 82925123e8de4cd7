//! Vocabulary, second half: demos, contact, store, data and accounts, in the same form.

#[cfg_attr(not(test), expect(clippy::enum_glob_use, reason = "nearly all of them"))]
use super::senses::Sense::*;
use super::words::Row;

pub(super) const WORDS: &[Row] = &[
    // Demos.
    (
        Demo,
        "demo|demos|demotape|demotapes|demosubmission",
        "submission|submissions|demo submission|unreleased|get signed|sign me|sign artists|sign new artists|sign us|looking for new artists|looking for artists|accept artists|take on artists|accept music|accepting music|new talent|getting signed|be released by you|release with you|release my|release on your label|release on the label|release through you",
        "demoeinsendung|demoeinsendungen|einsendung|einsendungen|einreichung|bei euch veroffentlichen|bei euch releasen|mich signen|sucht ihr kunstler|sucht ihr neue kunstler|unter vertrag nehmen|signt ihr|demoupload",
    ),
    (
        Send,
        "submit",
        "send|sending|sent|submitting|submitted|hand in|share|forward|give you|pitch|deliver you|offer",
        "schicken|schicke|schick|geschickt|senden|sende|gesendet|zusenden|einsenden|einreichen|einschicken|zuschicken|abgeben|ubermitteln|geben|anbieten|eingereicht|eingesendet|zukommen lassen",
    ),
    (
        Upload,
        "upload|uploads",
        "uploading|uploaded|attach|attachment",
        "hochladen|hochgeladen|anhang|anhangen",
    ),
    (
        Join,
        "",
        "join|join you|join the collective|join the label|become part|become a member|be part of|become an artist|join your|become member|participate|part of the collective|part of your label",
        "mitmachen|beitreten|dabei sein|teil werden|mitglied werden|teil des kollektivs|teil vom kollektiv|kunstler werden|mitwirken|einsteigen|anschliessen",
    ),
    (
        Format,
        "format|mp3|wav|flac|zip|m4a|aiff|ogg|aac|wave|wma|wavs|mp3s|flacs|rar|mp4",
        "formats|file type|file types|filetype|filetypes|file format|file formats|extension|extensions|bitrate|lossless|audio format",
        "formate|formaten|dateiformat|dateiformate|dateityp|dateitypen|dateiendung|dateiendungen|audioformat|audioformate|verlustfrei",
    ),
    (
        File,
        "audio",
        "file|files|archive|file size|max file size|maximum file size|size of file",
        "datei|dateien|archiv|dateigrosse|maximale dateigrosse",
    ),
    (
        Size,
        "mb|megabyte|megabytes|gb|limit",
        "how long can|how long may|how long should|how long must|size|big|large|larger|maximum|max|biggest|file size|max file size|maximum file size|size of file|heavy|limits|long can it be|too big|too large|minutes",
        "wie lang|wie lang darf|wie lange darf|grosse|gross|grosser|maximal|maximale|maximalgrosse|dateigrosse|maximale dateigrosse|hochstens|zu gross|limitierung|hochstgrosse|minuten",
    ),
    (
        Status,
        "feedback",
        "receive|received|heard back|hear back|hear from you|answer|answers|reply|response|respond|arrive|arrived|listened to my|how long does it take|how long until|how long will it take|how long do i have to wait|how long do you need|waiting|wait|when do i get|when will i|when will you|did you get|have you listened|any news about my|decision|status of my|turnaround|how long do|how long",
        "erhalten|bekommen|angekommen|ankommen|antwort|antwortet|antworten|ruckmeldung|warten|warte|wie lange dauert|wie lange braucht|wie lange|dauert es|wann bekomme ich|wann hore ich|wann meldet|meldet|gehort von|eingegangen|reingehort|gehort|angehort|ist mein demo|habt ihr mein|habt ihr meine|melden",
    ),
    // Contact.
    (
        Contact,
        "support",
        "contact|contacts|contact us|contact you|reach|reach you|reach out|get in touch|in touch|touch|write to you|write you|write to|who do i write to|talk to you|talk to someone|talk to a human|speak to someone|speak with someone|customer service|contact details|contact form|email you|mail you|enquiry|inquiry|feedback form|complain|complaint|your email|your email address|your mail|your e mail|general enquiries",
        "mit jemandem sprechen|mit jemandem reden|kontakt|kontaktieren|kontaktformular|erreichen|erreiche|erreicht|ansprechpartner|ansprechpartnerin|anschreiben|euch schreiben|dir schreiben|schreibe ich euch|an wen|kontaktdaten|mit euch reden|mit euch sprechen|in kontakt treten|kontakt aufnehmen|kundenservice|kundendienst|beschwerde|beschweren|eure email|eure mailadresse|eure e mail|deine email|eure emailadresse|anfrage|melde ich mich|wenden",
    ),
    (
        Message,
        "",
        "message|messages|write|email address|mail address|mail|letter",
        "nachricht|nachrichten|schreiben|schreib|mail|brief|mailadresse|emailadresse|post",
    ),
    (
        Phone,
        "whatsapp|signal app|fax",
        "phone|phone number|telephone|telephone number|call|call you|mobile|hotline",
        "telefon|telefonnummer|anrufen|handynummer|rufnummer|telefonisch|handy",
    ),
    (
        Address,
        "",
        "address|postal address|street address|postal|snail mail",
        "adresse|anschrift|postadresse|postanschrift|hausanschrift",
    ),
    (
        Booking,
        "booking|bookings|agent",
        "book|booked|hire|booking request|agency|rider|promoter|book an artist|book a dj|invite to play",
        "buchen|buche|gebucht|engagieren|buchung|buchungen|booken|veranstalter|agentur|bookinganfrage|anfragen|gage",
    ),
    (
        Press,
        "interview|interviews|podcast|podcasts|blog|epk|presskit|magazine|promo|promos",
        "press|press kit|journalist|journalists|reviews|review|press photos|press release|media kit|promo copy|promo copies|logo|radio|article|journalism",
        "presse|pressefotos|pressemitteilung|pressemappe|journalist|journalistin|pressekit|rezension|rezensionen|pressebilder|pressekontakt|magazin|artikel|zeitung",
    ),
    (
        Licence,
        "copyright|sync|sample clearance|remixrechte",
        "licence|license|licensing|licences|licenses|rights|royalties|royalty|royalty free|clearance|sync licensing|permission|creative commons|publishing rights|content id",
        "lizenz|lizenzen|lizenzieren|lizenzierung|rechte|urheberrecht|gema|verwendungsrecht|erlaubnis|nutzungsrecht|nutzungsrechte|genehmigung|musikrechte",
    ),
    (
        Use,
        "video|videos|film|youtube video|sample|samplen|samples|vlog|twitch",
        "use|using|sampling|movie|movies|game|commercial|advert|documentary|in my video|in a video|in my film|in my stream|background music",
        "verwenden|benutzen|nutzen|nutze|spielfilm|werbung|verwende|dokumentation|im video|in meinem video|filmmusik|hintergrundmusik",
    ),
    // Newsletter and store.
    (
        Newsletter,
        "newsletter|newsletters|mailing list|mailinglist|mailingliste",
        "email updates|news by email|news by mail|stay updated|stay up to date|email list|notified|notifications|get updates|updates|keep me posted|be informed",
        "rundbrief|verteiler|rundmail|auf dem laufenden|neuigkeiten per mail|news per mail|benachrichtigt|benachrichtigungen|mailverteiler|informiert bleiben",
    ),
    (
        Subscribe,
        "",
        "subscribe|subscribing|subscription|subscribed|subscriber",
        "abonnieren|abonniere|abo|abonnement|eintragen",
    ),
    (
        Unsubscribe,
        "",
        "unsubscribe|unsubscribing|opt out|no more emails|no more mails|stop emailing me|stop sending me emails|stop mailing me|no more newsletters|off the list|off your list|off the mailing list|remove me from",
        "abbestellen|abbestelle|austragen|keine mails mehr|keine emails mehr|vom verteiler|deabonnieren|abmeldung|newsletter abmelden|kein newsletter mehr|keine newsletter mehr",
    ),
    (
        Store,
        "store|shop|shopping|merch|vinyl|vinyls|merchandise|hoodie|hoodies|t shirt|t shirts|tshirt|tshirts|shirt|shirts|cd|cds|poster|tapes|webshop|onlineshop|online shop|sweatshirt|tote bag|gutschein|slipmats|stickers",
        "sell|selling|for sale|cassette|cassettes|clothing|clothes|physical|record store|bags|basket|cart|checkout|discount|voucher|gift card|sold out|in stock|caps|physical copies|products",
        "laden|verkauft|verkaufen|zu kaufen|schallplatte|schallplatten|kassette|kassetten|klamotten|warenkorb|kasse|rabatt|ausverkauft|produkte|artikel im shop|auf lager|plattenladen|fanartikel|kleidung|beutel",
    ),
    (
        Buy,
        "",
        "buy|order|orders|purchase|purchases|where to buy|ordering|get a copy|my order",
        "kaufen|kauf|kaufe|bestellen|bestellung|bestellungen|bestelle|erwerben|meine bestellung|bestellt",
    ),
    (
        Ship,
        "",
        "ship|ships|shipping|deliver|delivers|delivery|postage|international shipping|worldwide|overseas|ship to|track my order|tracking number|parcel|package",
        "versand|versenden|versendet|verschicken|verschickt|liefern|liefert|lieferung|lieferzeit|porto|versandkosten|lieferkosten|paket|versandt|weltweit|sendungsverfolgung|ausland",
    ),
    (
        Pay,
        "paypal|klarna|visa|mastercard|bitcoin|apple pay|google pay|sofort",
        "pay|payment|payments|credit card|credit cards|payment methods|bank transfer|invoice|card|crypto|receipt|vat|tax|payment method",
        "bezahlen|bezahle|zahlen|zahlung|zahlungsmethoden|zahlungsarten|bezahlung|kreditkarte|uberweisung|rechnung|mehrwertsteuer|steuer|lastschrift|zahlungsart|bezahlt",
    ),
    (
        Price,
        "",
        "price|prices|cost|costs|how much|how expensive|expensive|cheap|pricing|free|for free",
        "preis|preise|kostet|kosten|wie teuer|teuer|gunstig|billig|kostenlos|gratis|was kostet|umsonst",
    ),
    (
        Returns,
        "",
        "refund|refunds|return|returns|send back|money back|exchange|warranty|return policy|damaged|broken record|withdrawal",
        "rucksendung|ruckgabe|umtausch|umtauschen|zuruckgeben|zuruckschicken|erstattung|geld zuruck|widerruf|widerrufsrecht|reklamation|garantie|beschadigt|retoure",
    ),
    // Data and privacy.
    (
        Privacy,
        "dsgvo|gdpr|analytics|google analytics",
        "privacy|privacy policy|data protection|data privacy|tracking|track me|track us|do you track|tracked|trackers|personal data|personal information|data policy|store about me|know about me|save about me|spy|surveillance|who reads this|read my messages|read my questions|reads my messages|is this logged|logged|do you log|do you save|my questions|third parties|anonymous",
        "datenschutz|datenschutzerklarung|privatsphare|personenbezogene daten|datenschutzbestimmungen|datenverarbeitung|datensicherheit|verfolgt ihr|trackt ihr|personliche daten|uber mich|auskunft|mitgelesen|gespeichert|protokolliert|anonym|datenschutzbeauftragter|uberwachung|meine fragen",
    ),
    (
        Data,
        "",
        "data|information about me|information on me|my information|my details",
        "daten|meine daten|angaben|meine angaben|informationen uber mich",
    ),
    (
        Collect,
        "",
        "collect|store my|save|saved|stored|share my|sell my|keep my|process|protect|safe|secure|handle",
        "sammelt|sammeln|speichert|speichern|verarbeitet|weitergeben|weiter|schutzt|sicher|geschutzt|erhebt",
    ),
    (Cookies, "cookie|cookies|cookie banner|local storage", "", ""),
    (
        Imprint,
        "impressum|agb|tos",
        "imprint|legal notice|legal|terms|terms of service|terms and conditions|legal information|company details|terms of use|register number|vat id",
        "nutzungsbedingungen|rechtliches|anbieterkennzeichnung|geschaftsbedingungen|rechtliche hinweise|handelsregister|ust id|umsatzsteuer id|firmensitz|haftung",
    ),
    (
        Delete,
        "",
        "delete|remove|erase|deleting|cancel|close my|deactivate|removal|deletion|wipe|get rid of|terminate|forget me|right to be forgotten",
        "loschen|losche|loscht|geloscht|entfernen|entfernt|loschung|kundigen|deaktivieren|kundigung|vernichten",
    ),
    // Accounts.
    (
        Account,
        "account|login daten|konto|accounts|user account",
        "user profile|membership",
        "benutzerkonto|nutzerkonto|mitgliedskonto|zugang|mein konto",
    ),
    (
        SignUp,
        "signup|sign up",
        "register|registration|registering|registered|create an account|create account|make an account|signing up|open an account|get an account|become a user|new account|sign me up",
        "registrieren|registriere|registrierung|konto erstellen|konto anlegen|account erstellen|account anlegen|konto eroffnen|ein konto erstellen|einen account erstellen|ein konto anlegen|neues konto",
    ),
    (
        Login,
        "login|log in|log me in|einloggen|sign in|signin",
        "logging in|logged in|log into|signing in|log on|cannot log in|locked out",
        "anmelden|anmeldung|einlogge|eingeloggt|melde ich mich an|angemeldet|anmeldedaten|ausgesperrt",
    ),
    (
        Logout,
        "logout|log out|log off|sign out|signout",
        "logging out|signing out",
        "ausloggen|abmelden|ausgeloggt|melde ich mich ab|ausloggt",
    ),
    (
        Password,
        "password|passwort",
        "passwords|passphrase|passcode|pw",
        "passworter|kennwort|passworts|passwortes|zugangscode",
    ),
    (
        Forgot,
        "",
        "forgot|forgotten|lost|reset my|recover|recovery|remember|forget",
        "vergessen|verloren|zurucksetzen|wiederherstellen|vergass|verlegt",
    ),
    (
        TwoFactor,
        "2fa|mfa|totp|authenticator|google authenticator|2 fa|otp",
        "authentication|two factor|two factor authentication|twofactor|2 factor|second factor|recovery code|recovery codes|backup code|backup codes|authenticator app|6 digit code|two step|verification code|two factor auth",
        "zwei faktor|zweifaktor|zwei faktor authentifizierung|zweifaktorauthentifizierung|zweiter faktor|zweiten faktor|wiederherstellungscode|wiederherstellungscodes|backupcode|backupcodes|bestatigungscode|authentifizierung|zweifaktorauthentisierung",
    ),
    (
        Change,
        "",
        "change|changing|update my|edit|switch|modify|replace|rename",
        "andern|andere|anderung|wechseln|aktualisieren|bearbeiten|umbenennen|anpassen",
    ),
    (
        Email,
        "email|e mail|emails|mail|mails|e mails",
        "email address|e mail address|emailaddress",
        "emailadresse|mailadresse|e mail adresse|email adresse|e mailadresse",
    ),
    (
        Profile,
        "avatar|username|user name|profil|profilbild|user",
        "profile|profile picture|picture|display name|profile photo|my name|settings",
        "benutzername|nutzername|benutzernamen|profilfoto|foto|bild|einstellungen|mein name|meinen namen",
    ),
    (
        Confirm,
        "",
        "confirm|confirmation|confirmation email|confirmation mail|confirmation link|verify|verification|verification email|verification mail|activation|activate|activation link|no email|no mail|didnt get an email|not received an email|did not get the email|no confirmation",
        "bestatigungsmail|bestatigung|bestatigen|bestatigungslink|aktivierungslink|aktivierung|aktivieren|verifizieren|keine mail|keine mails|keine email|bestatigungs email|keine e mail",
    ),
    // Places, as people add them to a question.
    (
        Country,
        "berlin|hamburg|wien|vienna|london|paris|usa|uk|eu|leipzig|japan|china|portugal|luxemburg|australien|kanada|detroit|amsterdam",
        "germany|austria|switzerland|france|italy|spain|europe|england|britain|united kingdom|united states|america|poland|netherlands|belgium|denmark|sweden|norway|canada|australia|munich|cologne|abroad|finland|ireland|brazil|india",
        "deutschland|osterreich|schweiz|frankreich|italien|spanien|europa|grossbritannien|amerika|polen|niederlande|holland|belgien|danemark|schweden|norwegen|munchen|koln|finnland|irland|brasilien|indien|zurich",
    ),
];
