// A program in Node that is not made of modules.
const { checkContact } = require("@deadwax/rules");
const { MESSAGES } = require("@deadwax/rules/data");

const form = { name: "M", email: "mira@example.org", message: "When is the next one?" };
console.log(checkContact(form).problems[0].message);
console.log(MESSAGES.contact_sent.title);
