//! The English the terminal understands, as tables. All of it is folded as sort keys are: small letters, no punctuation
//! ("what's" is "whats").

use super::question::{Asked, Kind, Question};

/// Phrases, separated by bars.
pub(super) type Phrases = &'static str;

/// The phrases of a table's cell.
pub(super) fn each(phrases: Phrases) -> impl Iterator<Item = &'static str> {
    phrases.split('|')
}

/// Messages that are a question as they stand.
pub(super) const FIXED: &[(Phrases, Question)] = &[
    (
        "help|commands|command|menu|usage|man|options|~?|~??|how|how does this work|\
         what can you do|what can you tell me|what can i ask|what can i ask you|what can i do|\
         what can i do here|what do you know|what now|help me|i need help",
        Question::Help,
    ),
    ("hello|hi|hey|hey there|hi there|hello there|good morning|good evening|hallo|yo|moin", Question::Hello),
    (
        "about|label|the label|about you|about the label|about this label|who are you|what are you|\
         who is this|what is this|what is this label|what is the label|which label is this|\
         tell me about the label|tell me about this label|tell me about yourself|tell me about you|\
         how many releases|how many artists|how many records|how many releases are there|\
         how many artists are there|how many releases do you have|how many artists do you have|\
         how many records do you have|whoami|info|status",
        Question::Label,
    ),
    (
        "releases|records|discography|catalog|catalogue|list|ls|dir|list releases|show releases|\
         show me releases|show me the releases|show me all releases|show me your releases|all releases|\
         all records|list all releases|list of releases|the releases|your releases|what did you release|\
         what have you released|what releases are there|which releases are there|\
         what releases do you have|which releases do you have|what records do you have|\
         what is in the catalogue|what is in the catalog",
        Question::Releases(1),
    ),
    (
        "artists|roster|the artists|your artists|all artists|list artists|list all artists|\
         list of artists|show artists|show me artists|show me the artists|show me all artists|\
         show me your artists|who is on the label|who is on your label|whos on the label|\
         whos on your label|who is in the collective|who are the artists|who are your artists|\
         who is signed|what artists are there|which artists are there|what artists do you have|\
         which artists do you have|which artists are on the label|what artists are on the label|\
         collective|the collective",
        Question::Artists(1),
    ),
    (
        "latest|new|newest|news|recent|whats new|what is new|what new|anything new|\
         is there anything new|whats the latest|what is the latest|latest release|latest releases|\
         the latest release|the latest releases|latest record|latest records|newest release|\
         newest releases|newest record|new release|new releases|new music|new records|recent releases|\
         last release|last releases|last record|whats the latest release|what is the latest release|\
         what are the latest releases|what is the newest release|what is your latest release|\
         whats your latest release|what is the last release|what came out last|what came out recently|\
         what just came out|what did you release last|what did you release recently|\
         what have you released recently|show me the latest release|show me the latest releases|\
         show me whats new|any new releases|any new music",
        Question::Latest,
    ),
    (
        "listen|music|streaming|stream|spotify|soundcloud|where can i listen|\
         where can i listen to music|where can i hear music|where to listen|how can i listen|\
         how do i listen|where is your music|are you on spotify|are you on soundcloud",
        Question::Music,
    ),
    (
        "demo|demos|submit|submission|submissions|submit demo|submit a demo|send demo|send a demo|\
         send demos|how do i send a demo|how can i send a demo|how do i submit a demo|\
         how can i submit a demo|how to send a demo|how to submit a demo|where do i send a demo|\
         where can i send a demo|do you accept demos|do you take demos|can i send you a demo|\
         can i send a demo|can i submit a demo|i want to send a demo|how do i send you music|\
         how do i join|how can i join|how do i join the collective|how can i join the collective|\
         how do i join the label|join|join the collective",
        Question::Demo,
    ),
    (
        "contact|contact us|email|mail|booking|bookings|press|how do i contact you|\
         how can i contact you|how do i contact the label|how can i contact the label|how do i reach you|\
         how can i reach you|how do i get in touch|how can i get in touch|write to you|who do i write to",
        Question::Contact,
    ),
    (
        "newsletter|subscribe|unsubscribe|subscription|mailing list|how do i subscribe|\
         how can i subscribe|how do i unsubscribe|how can i unsubscribe|do you have a newsletter|\
         is there a newsletter",
        Question::Newsletter,
    ),
    (
        "store|shop|merch|vinyl|buy|the store|the shop|where can i buy|do you have a store|\
         do you have a shop",
        Question::Store,
    ),
    ("privacy|privacy policy|data protection|gdpr|terms|imprint|cookies|do you track me", Question::Privacy),
];

/// Words that name a subject wherever they stand, unless the message names an artist or a release.
pub(super) const TOPIC_WORDS: &[(Phrases, Question)] = &[
    ("demo|demos|submission|submissions|submit", Question::Demo),
    ("newsletter|newsletters|subscribe|subscription|unsubscribe|subscribing", Question::Newsletter),
    ("privacy|gdpr|cookies|tracking", Question::Privacy),
    ("store|shop|merch|merchandise|vinyl|sell|shirt|shirts|price|prices|shipping", Question::Store),
    ("contact|email|mail|booking|bookings|touch|address|phone", Question::Contact),
    ("help|commands", Question::Help),
];

const ARTIST: Option<Kind> = Some(Kind::Artist);
const RELEASE: Option<Kind> = Some(Kind::Release);

/// Questions about somebody or something, whose name stands where the star is.
pub(super) const ASKING: &[(Asked, Option<Kind>, Phrases)] = &[
    (
        Asked::Card,
        None,
        "about *|tell me about *|tell me more about *|tell me something about *|what do you know about *|\
         do you have *|have you got *|what is *|whats *|what about *|how about *|info *|info on *|\
         info about *|information on *|information about *|show *|show me *|search *|search for *|\
         find *|find me *|look for *|looking for *|i am looking for *|im looking for *|look up *|\
         open *",
    ),
    (
        Asked::Card,
        ARTIST,
        "artist *|artists *|who is *|whos *|who are *|who was *|band *|producer *|musician *",
    ),
    (
        Asked::Card,
        RELEASE,
        "release *|record *|album *|track *|song *|ep *|single *|catalog *|catalogue *|number *",
    ),
    (
        Asked::Date,
        RELEASE,
        "when *|when did * come out|when did * drop|when did * release|when did * get released|\
         when does * come out|when does * drop|when was * released|when was * out|when was * published|\
         when is * out|when is * released|when is * coming out|when is * due|when will * come out|\
         when will * be out|when will * be released|how old is *|release date of *|release date for *|\
         release date *|date of *|what is the release date of *|whats the release date of *|is * out|\
         is * out yet|is * out already",
    ),
    (
        Asked::Works,
        ARTIST,
        "releases by *|releases of *|releases from *|all releases by *|records by *|records from *|\
         music by *|music from *|music of *|songs by *|songs from *|tracks by *|tracks from *|\
         albums by *|albums from *|discography of *|discography *|everything by *|everything from *|\
         anything by *|anything from *|what did * release|what did * put out|what did * make|\
         what did * do|what has * released|what has * released so far|what has * put out|what has * made|\
         what have * released|what does * release|what is new from *|whats new from *|what is new by *|\
         new from *|latest by *|latest from *|latest release by *|latest release from *|the latest by *|\
         what is the latest by *|what is the latest from *|what is the latest release by *|\
         what else did * release|show releases by *|show me releases by *|show me the releases of *|\
         list releases by *|which releases are by *|which records are by *|how many releases does * have|\
         how many releases did * make|* releases|* discography",
    ),
    (
        Asked::Listen,
        None,
        "listen to *|listen *|play *|play me *|hear *|stream *|buy *|where can i listen to *|\
         where can i hear *|where can i stream *|where can i find *|where can i buy *|where can i get *|\
         where can i play *|where do i find *|where do i get *|where can you listen to *|\
         where can you hear *|where to listen to *|where to hear *|where to find *|where to buy *|\
         where is *|wheres *|how can i listen to *|how can i hear *|how do i listen to *|\
         how do i hear *|can i listen to *|can i hear *|can i stream *|i want to listen to *|\
         i want to hear *|id like to hear *|id like to listen to *|link to *|link for *|links to *|\
         links for *|links of *|spotify *|soundcloud *|* on spotify|* on soundcloud|is * on spotify|\
         is * on soundcloud|is * streaming|where is * streaming|* spotify|* soundcloud|* links",
    ),
    (
        Asked::Maker,
        RELEASE,
        "who made *|who released *|who wrote *|who produced *|who recorded *|who did *|who created *|\
         who plays on *|who plays *|who is behind *|whos behind *|who is on *|who is the artist of *|\
         who is the artist behind *|whose record is *|whose release is *|whose is *|artist of *|\
         by whom is *|who is * by|who was * made by",
    ),
];

/// Said before a question, and no part of it.
pub(super) const BEFORE: Phrases = "please|pls|hey|hi|hello|ok|okay|so|and|well|can you|could you|would you|can you please|\
         could you please|do you know";
/// Said after a question, and no part of it.
pub(super) const AFTER: Phrases = "please|pls|thanks|thank you|now|then";

/// What an artist is called.
pub(super) const ARTIST_WORDS: Phrases = "artist|band|producer|musician|group|duo";
/// What a release is called.
pub(super) const RELEASE_WORDS: Phrases =
    "release|record|album|track|song|ep|single|lp|catalog|catalogue|number|title";

/// Words that carry no name: of them alone, nothing is looked for.
const FILLERS: Phrases = "a|an|all|am|and|any|are|at|be|by|can|could|did|do|does|for|from|get|has|have|\
         here|how|i|im|in|is|it|its|label|me|music|my|new|of|on|or|out|please|record|\
         records|release|released|releases|artist|artists|song|songs|stuff|tell|that|the|there|\
         they|this|to|track|tracks|us|was|we|were|what|whats|when|where|which|who|will|with|\
         you|your|yours|yourself|something|anything|everything|about|listen|hear|find|come|came";

/// Whether a word is never worth looking for by itself.
pub(super) fn is_filler(word: &str) -> bool {
    each(FILLERS).any(|filler| filler == word)
}
