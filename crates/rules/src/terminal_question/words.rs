//! Vocabulary, first half: function words, small talk, the label and its catalogue. All words are folded like sort keys: lower
//! case, no accents, no punctuation ("what's" is "whats"). Columns: sense, words of both languages, English ones, German ones.

#[cfg_attr(not(test), expect(clippy::enum_glob_use, reason = "nearly all of them"))]
use super::senses::Sense::{self, *};

/// Sense, words of both languages, English ones, German ones.
pub(super) type Row = (Sense, &'static str, &'static str, &'static str);

pub(super) const WORDS: &[Row] = &[
    (
        Plain,
        "in|so|an|am|was|die|hat|man|will|also|bin|war|kind|art|person|super|top|online|digital|etc|ok|okay",
        "name|named|called|hasnt|havent|wasnt|year|years|send me|is|are|be|been|being|do|does|don|dont|doesnt|isnt|arent|cant|wont|didnt|to|too|of|at|on|off|out|up|for|with|without|and|or|but|if|\
         then|than|as|into|about|there|here|it|its|this|that|these|those|they|them|their|he|she|him|her|his|hers|we|us|our|\
         can|could|would|should|shall|may|might|must|get|got|go|going|gone|let|lets|know|tell|give|show|see|want|\
         need|like|think|say|said|really|just|only|even|still|yet|already|ever|never|not|no|yes|yeah|yep|nope|any|anything|some|something|\
         someone|somebody|anyone|anybody|everyone|nobody|thing|things|stuff|way|time|one|ones|other|others|more|most|much|many|few|\
         very|well|good|best|better|bad|right|now|today|again|back|over|down|by|through|from|per|via|between|after|before|during|while|\
         because|since|until|possible|able|available|find|search|looking|look|take|took|make|makes|keep|put|try|possibly|maybe|\
         currently|directly|actually|else|teh|u|ur|r|n|k|im|ive|id|ill|youre|theres|hes|shes|wheres|whos|hows|wanna|gonna|\
         people|guy|guys|folks|everything|nothing|kinda|sort|kindly|own|whole|every|each|same|such|off|s|t|am|had|has|have|were|ask|asking|question|\
         wonder|wondering|curious|explain|mean|means|happen|happened|happens|works|work|working|open|opened|link|links|site|website|page|hear back|a bit|a few|a lot|lot|bit",
        "jemandem|jemanden|anzeigen|anschauen|ansehen|auflisten|bekomme|kriege|wars|jahr|jahre|kennst|kennt|kenne|kennen|lautet|schick mir|schickt mir|ist|sind|sein|seid|bist|sei|waren|werden|wird|werde|wirst|werdet|wurde|wurden|haben|habe|hab|habt|hast|hatte|hatten|kann|kannst|konnen|konnt|konnte|\
         konntest|konnten|darf|durfen|muss|mussen|soll|sollte|mochte|mochten|will|wollen|wollte|mag|magst|mal|man|es|er|sie|ihn|ihm|\
         wir|uns|unser|unsere|und|oder|aber|wenn|dann|denn|als|auf|aus|bei|mit|ohne|nach|zu|zum|zur|im|ins|um|fur|uber|unter|vom|\
         an|da|dort|hier|dies|diese|dieser|dieses|dass|das|nicht|kein|keine|keinen|nein|ja|doch|noch|schon|nur|auch|sehr|gut|gute|guten|\
         etwas|was|alles|nichts|jemand|irgendwas|irgendwelche|irgendwo|mehr|viel|viele|geht|gehts|gehen|gibt|gibts|gib|geben|gab|komme|komm|kommt|kommen|kam|\
         weiss|wissen|sagen|sag|sagt|zeig|zeige|zeigt|zeigen|erzahl|erzahle|erzahlen|suche|such|suchen|finde|finden|findet|brauche|brauch|mach|mache|machen|macht|\
         nehmen|nehmt|nimmt|lassen|lass|einfach|jetzt|heute|immer|wieder|eigentlich|vielleicht|bitte mal|eure|euren|eurem|seite|webseite|internetseite|homepage|\
         moglich|moglichkeit|frage|fragen|zurzeit|derzeit|momentan|gerade|so was|sowas|irgendwie|genau|wo|damit|darauf|dazu|dabei|davon|daran|dafur|hinter|dahinter|steht|steckt|stecken|heissen|heisst|heiss|\
         sich|eins|beim|per|oder so|halt|eben|wurde gern|wurde|gern|gerne|her|hin|rein|weil|ob|wohl|sonst|ganz",
    ),
    (Article, "", "the|a|an", "der|den|dem|des|ein|eine|einen|einem|einer|eines|das|die"),
    (
        Polite,
        "sorry|pls|plz",
        "please|excuse me|pardon|can you please|could you please|could you tell me|can you tell me|do you know|would you|hey so|kind regards|regards|sir|madam",
        "bitte|entschuldigung|verzeihung|kannst du mir sagen|konnt ihr mir sagen|konnen sie mir sagen|weisst du|wisst ihr|liebe grusse|lg|mfg|mal bitte",
    ),
    (Who, "", "who|whos|whose|whom|who is|who are|who was", "wer|wen|wem|wessen|von wem|wer macht"),
    (
        What,
        "was",
        "what|whats|what is|what are|what was|wat|how|how do|how does|how about|why|hows",
        "wie|warum|wieso|weshalb|womit|was ist|was sind|was fur|wozu",
    ),
    (
        When,
        "",
        "when|whens|wen did|what date|which date|what day|release date|publication date|how old|due|what year",
        "wann|an welchem datum|welches datum|erscheinungsdatum|veroffentlichungsdatum|datum|erscheinungstermin|wie alt",
    ),
    (
        Where,
        "",
        "where|wheres|where is|where are|where can|where do|wher",
        "wo|woher|wohin|wo ist|wo sind|wo gibt es|wo gibts|wo kann|von wo",
    ),
    (Which, "", "which|wich", "welche|welcher|welches|welchen|welchem"),
    (
        You,
        "",
        "you|your|yours|yourself|yourselves|u guys|you guys|ya|yall",
        "du|dich|dir|dein|deine|deinen|deiner|ihr|euch|euer|eure|euren|eurem|eurer|ihre|ihren|ihnen",
    ),
    (Me, "", "i|me|myself|im|ive|id|ill|we|us", "ich|mich|mir|wir|uns"),
    (Mine, "", "my|mine|our|ours", "mein|meine|meinen|meinem|meiner|meins|unsere|unser|unseren|unserem"),
    (Did, "", "did|has|have|had", "hat|haben|habt|hatte"),
    (By, "", "by|from|of", "von|vom"),
    // Small talk and commands.
    (
        Help,
        "menu|info|faq",
        "help|helps|help me|commands|command|usage|man|options|instructions|guide|how does this work|what can you do|what can you tell me|\
         what can i ask|what can i ask you|what can i do|what can i do here|what do you know|what now|i need help|how to use this|how do i use this|what can you answer|what is possible here|\
         can you help me|can you help",
        "hilfe|hilf mir|hilf|befehle|befehl|kommandos|anleitung|was kannst du|was kann ich fragen|was kann ich hier machen|was kann ich hier tun|was kann ich machen|\
         was weisst du|wie funktioniert das|wie funktioniert das hier|wie geht das|was geht hier|ich brauche hilfe|kannst du mir helfen|konnt ihr mir helfen|konnen sie mir helfen|helfen|was kann ich dich fragen|optionen",
    ),
    (
        Hello,
        "hi|hey|hallo|moin|yo|servus|aloha|ciao hallo",
        "hello|hello there|hi there|hey there|good morning|new here|i am new here|im new here|good evening|good afternoon|good day|greetings|howdy|sup|whats up|how are you|how are you doing|how is it going|hows it going|hiya|heya",
        "neu hier|guten tag|guten morgen|guten abend|gruss gott|grussi|gruezi|tach|na|hallihallo|moin moin|wie gehts|wie geht es dir|wie geht es euch|wie gehts dir|was geht|huhu",
    ),
    (
        Thanks,
        "merci",
        "thanks|thank you|thank you very much|thank you so much|thanks a lot|many thanks|thx|ty|cheers|much appreciated|appreciated",
        "danke|danke schon|dankeschon|danke dir|danke euch|vielen dank|besten dank|herzlichen dank|dank|danke sehr|danke vielmals",
    ),
    (
        Praise,
        "cool|nice|wow|lol|haha|super",
        "love|great|awesome|amazing|perfect|brilliant|fantastic|lovely|beautiful|sick|dope|well done|good job|got it|never mind",
        "toll|geil|klasse|schon|prima|perfekt|grossartig|liebe|genial|stark|krass|passt|alles klar|verstanden",
    ),
    (
        Bye,
        "ciao|adios",
        "bye|goodbye|good bye|bye bye|see you|see ya|good night|later|farewell|see you later|take care",
        "tschuss|tschau|auf wiedersehen|bis bald|bis dann|bis spater|gute nacht|servus dann|tschussi|mach es gut|machs gut",
    ),
    (Exit, "exit|quit|q", "close|leave|end|stop|shutdown", "beenden|verlassen|raus|ende|schliessen"),
    (
        Clear,
        "clear|cls|reset",
        "clear screen|clear the screen|clear history",
        "leeren|bildschirm leeren|verlauf loschen",
    ),
    (
        Bot,
        "bot|chatbot|chatgpt|gpt|robot|computer|openai|llm|terminal",
        "ai|machine|human|real person|robots|artificial intelligence|language model|a human|talking to a human|who am i talking to|am i talking to",
        "ki|kunstliche intelligenz|mensch|maschine|roboter|echter mensch|sprachmodell|mit wem spreche ich|mit wem schreibe ich|menschen",
    ),
    (
        Speak,
        "",
        "speak|speaking|talk in|understand",
        "sprichst|sprecht|sprechen|verstehst|versteht|verstehen|redest",
    ),
    (
        Language,
        "english|german",
        "language|languages|in german|in english",
        "deutsch|englisch|sprache|sprachen|auf deutsch|auf englisch",
    ),
    // The label.
    (
        Label,
        "label|techno label|plattenlabel|record label|musiklabel|netlabel|imprint label",
        "about|about you|about us|the label|this label|your label|collective|company|organisation|organization|crew|team|yourself|who are you|who is this|what is this|whoami|status|story|mission|manifesto|what are you|what do you do|what is this place|\
         what is this site|what is this page|what is this website|what is this about|tell me about yourself|introduce yourself|about the label",
        "kollektiv|firma|unternehmen|truppe|uber euch|uber dich|uber das label|wer bist du|wer seid ihr|was bist du|was seid ihr|was ist das|was ist das hier|was macht ihr|was machst du|wer ist das|wer sind sie|stell dich vor|stellt euch vor|manifest|geschichte|uber uns",
    ),
    (
        Label,
        "",
        "since when|founded|history|how old is the label|how old are you|how old is the collective|how long have you|how long has the label|when were you founded|been around|established|beginnings",
        "seit wann|gegrundet|grundung|grundungsjahr|gibt es euch|gibts euch|wie alt ist das label|wie alt seid ihr|wie lange gibt es euch|wie lange gibts euch",
    ),
    (
        Run,
        "boss|ceo|label manager|manager|a and r|a r|ar",
        "runs|run|running|runs this|owns|own|owner|owners|founder|founders|founded by|in charge|head|behind|leads|leader|operates|operator|manages|responsible|belongs|belong|started by|who started|who founded|behind this",
        "betreibt|betreiber|betreiben|leitet|leitung|leiter|inhaber|inhaberin|besitzer|besitzt|grunder|grunderin|gehort|chef|chefin|chefs|verantwortlich|verantwortliche|fuhrt|geschaftsfuhrer|geschaftsfuhrung|\
         hinter dem label|hinter euch|hinter dem kollektiv|steckt dahinter|steht dahinter|steckt hinter|steht hinter|hinter",
    ),
    (
        Since,
        "",
        "since|since when|founded|started|start|begin|began|established|history|how long have you|how long has the label|how old is the label|how old are you|how old is the collective|when were you founded|beginnings|exist|existed|exists|been around|around since|founding",
        "seit|seit wann|gegrundet|grundung|entstanden|angefangen|begonnen|existiert|gibt es euch|gibts euch|besteht|grundungsjahr|wie alt ist das label|wie alt seid ihr|wie lange gibt es euch|wie lange gibts euch|wie lange schon",
    ),
    (
        Located,
        "hq",
        "located|based|location|city|town|headquarters|office|where are you from|where do you come from|come from|country|where are you|where are you based|where do you live|headquartered|situated",
        "sitz|stadt|ansassig|standort|wo seid ihr|wo bist du|woher kommt ihr|woher kommst du|wo sitzt ihr|sitzt|buro|beheimatet|zuhause|wo kommt ihr her|wo kommst du her|wo wohnt ihr|land|woher seid ihr|adresse vom label",
    ),
    (
        Genre,
        "genre|genres|stil|style",
        "styles|kind of music|type of music|sort of music|what music|which music|kinds of music|what genre|which genre|what style",
        "musikrichtung|musikstil|stilrichtung|welche musik|was fur musik|was fur eine musik|welches genre|art von musik|art musik",
    ),
    (
        Job,
        "job|jobs|team work",
        "internship|internships|vacancy|vacancies|hiring|career|careers|employment|work for you|work with you|volunteer|work at|recruiting",
        "praktikum|stelle|stellen|karriere|bewerbung|bewerben|mitarbeiten|arbeiten bei euch|bei euch arbeiten|stellenangebote|ausbildung|mithelfen|jobangebote",
    ),
    (
        Social,
        "instagram|insta|ig|facebook|fb|twitter|tiktok|mastodon|social media|socials|telegram|discord|x com|bluesky",
        "social|social networks|follow|follow you|social links",
        "soziale medien|soziale netzwerke|folgen|social kanale|kanale",
    ),
    (Feed, "rss|feed|atom|rss feed|atom feed|api", "feeds", "feeds"),
    // The catalogue.
    (
        Artist,
        "act|dj|duo",
        "artist|band|producer|musician|group|signing",
        "kunstler|kunstlerin|produzent|produzentin|musiker|musikerin|interpret|gruppe",
    ),
    (
        Artists,
        "roster|djs|acts",
        "artists|members|producers|musicians|bands|signed artists|signed to the label|signed to you|signed|line up|lineup|who is on the label|who is on your label|whos on the label|whos on your label|who is in the collective|who is signed|who plays|on the label|on your label|who do you represent|people on the label",
        "kunstlerinnen|kunstler innen|kunstlerliste|mitglieder|produzenten|musiker innen|leute|auf dem label|unter vertrag|wer ist dabei|wer gehort dazu|wer gehort zum label|wer gehort zum kollektiv|wer ist auf dem label|wer ist im kollektiv|artists|acts",
    ),
    (
        Release,
        "album|single|ep|lp|track|song|release|12 inch|remix|mixtape",
        "record|title|catalog|catalogue|number|catalog number|catalogue number|catalog no|catalogue no|vinyl record",
        "veroffentlichung|platte|stuck|lied|titel|katalognummer|scheibe|nummer",
    ),
    (
        Releases,
        "releases|alben|albums|singles|eps|lps|tracks|songs",
        "records|discography|catalog list|your catalogue|your catalog|the catalogue|the catalog|whole catalogue|back catalogue|titles|catalogues|output",
        "veroffentlichungen|platten|lieder|stucke|diskografie|diskographie|katalog|erscheinungen|releaseliste|euer katalog",
    ),
    (Music, "techno|mix|mixes|sets|beats|set", "music|sound|sounds|tunes|tune", "musik|sounds|klange"),
    (
        Out,
        "",
        "released|come out|came out|comes out|coming out|come|came|put out|drop|dropped|drops|published|publish|appear|appeared|get released|gets released|got released|releasing|issued",
        "erschienen|erschien|erscheint|erscheinen|veroffentlicht|veroffentlichen|herausgebracht|rausgebracht|herausgekommen|rausgekommen|raus|heraus|rausgekommen|kam raus|kommt raus|rausbringen|herauskommen|rauskommen|draussen|gedroppt|released",
    ),
    (
        Made,
        "",
        "made|make|makes|wrote|produced|produces|recorded|created|composed|behind|responsible for|did|played|who is the artist|whose",
        "gemacht|produziert|aufgenommen|komponiert|geschrieben|von wem|stammt|wer macht|dahinter",
    ),
    (
        Latest,
        "",
        "latest|new|newest|news|recent|recently|last|whats new|what is new|newly|most recent|fresh|newer|lately|brand new|just came out|up to date",
        "neu|neue|neuen|neuer|neues|neuste|neuster|neuste|neusten|neuestes|neueste|neuesten|neuester|letzte|letzten|letztes|letzter|zuletzt|aktuell|aktuelle|aktuellen|aktuelles|aktuellste|aktuellsten|neuigkeiten|neuheiten|neuerscheinung|neuerscheinungen|kurzlich|jungste|frisch|nachrichten",
    ),
    (
        Oldest,
        "",
        "oldest|first|earliest|very first|debut|initial",
        "alteste|altesten|altestes|erste|ersten|erstes|erster|fruheste|debut|allererste|als erstes",
    ),
    (
        Next,
        "",
        "next|coming|coming next|whats coming|upcoming|coming soon|soon|future|forthcoming|planned|preorder|pre order|presave|coming up|announced|scheduled",
        "nachste|nachsten|nachstes|nachster|als nachstes|kommende|kommenden|kommendes|demnachst|bald|geplant|zukunft|zukunftig|zukunftige|vorbestellen|angekundigt|in zukunft",
    ),
    (
        Count,
        "",
        "how many|count|number of|amount of|total",
        "wie viele|wieviele|anzahl|wieviel|wie viel|wieviele verschiedene|gesamtzahl",
    ),
    (
        All,
        "ls|dir|list|catalog list",
        "all|complete|entire|full|list all|show all|everything you have|overview",
        "liste|alle|allen|aller|gesamte|gesamten|komplette|ganze|samtliche|ubersicht|gesamter",
    ),
    (Date, "", "date|dates", "datum"),
    (Page, "", "page", "seite"),
    (
        LastYear,
        "",
        "last year",
        "letztes jahr|letzten jahr|im letzten jahr|vergangenes jahr|vergangenen jahr|voriges jahr|vorigen jahr",
    ),
    (ThisYear, "", "this year", "dieses jahr|diesem jahr|in diesem jahr|heuer"),
    (ThisMonth, "", "this month", "diesen monat|diesem monat|in diesem monat"),
    (
        Month,
        "april|august|september|november",
        "january|february|march|june|july|october|december|jan|feb|apr|jun|jul|aug|sep|sept|oct|nov|dec",
        "januar|janner|februar|marz|mai|juni|juli|oktober|dezember",
    ),
    (
        Listen,
        "stream|player|playlist|playlists|streaming",
        "listen|listening|play|playing|streams|listen to|where to listen|preview|music player|streamed|streaming services|streaming platforms",
        "horen|anhoren|hor|hore|reinhoren|streamen|abspielen|spiel|spiele|spielen|gestreamt|zu horen|probehoren|streamingdienste|streamingdienst|horproben|horprobe|vorhoren",
    ),
    (Hear, "", "hear|heard|check out", ""),
    (
        Service,
        "spotify|soundcloud|sound cloud|apple music|apple|itunes|youtube|you tube|youtube music|yt|bandcamp|tidal|deezer|beatport|discogs|amazon music|juno|qobuz|mixcloud|napster|audius|boomkat|hardwax|resident advisor",
        "",
        "",
    ),
    (
        Download,
        "download|downloads|downloaden",
        "downloading|downloadable|free download|download for free",
        "herunterladen|runterladen|heruntergeladen|runtergeladen",
    ),
    (
        Event,
        "event|events|gig|gigs|tour|party|partys|parties|festival|festivals|rave|raves|live|club|clubs|tickets|ticket|liveset|live sets",
        "concert|concerts|shows|tour dates|live dates|upcoming events|performance|performances|play live|playing live|playing tonight|tonight|perform|upcoming shows|next gig|next show|next party|next event|guest list|club night",
        "konzert|konzerte|auftritt|auftritte|veranstaltung|veranstaltungen|termine|tourdaten|clubnacht|spielt ihr live|live spielen|wo spielt ihr|wo legt ihr auf|legt ihr auf|auflegen|gasteliste|eintrittskarten|heute abend",
    ),
];
